import { keyPurpose } from "@/lib/domains/rotation/keys"
import { findRetained } from "@/lib/domains/retained-signer-store"
import { open } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"

/** What a delivery attempt needs of the sending domain. */
export type Sender = {
  domain: string
  mailFromDomain: string
  /** The domain's own host for tracked links, once it answers by https. */
  trackingHost: string | null
  /** Not the selector, which a later key reuses. */
  keyId: string
  selector: string
  /** PKCS#8. */
  privateKeyPem: string
}

type Row = Omit<Sender, "privateKeyPem"> & { privateKey: Uint8Array }

/**
 * The sender by the domain's id, with the active key; null once the domain is deleted and its accepted mail has ended.
 * On `pg`, because deliveries wait for it.
 */
export async function findSender(projectId: string, domainId: string): Promise<Sender | null> {
  const { rows } = await pool().query<Row>({
    name: "domains.find_sender",
    text: `SELECT d.name AS domain, d.mail_from_domain AS "mailFromDomain",
        CASE WHEN d.tracking_status = 'verified' THEN d.tracking_domain END AS "trackingHost", k.id AS "keyId", k.selector,
        k.private_key AS "privateKey"
      FROM domains d JOIN dkim_keys k ON k.project_id = d.project_id AND k.domain_id = d.id AND k.state = 'active'
      WHERE d.project_id = $1 AND d.id = $2`,
    values: [projectId, domainId],
  })
  const found = rows[0] ?? (await retained(projectId, domainId))
  if (!found) return null
  const { privateKey, ...sender } = found
  return { ...sender, privateKeyPem: open(privateKey, keyPurpose(sender.keyId)).toString() }
}

/** The host of a deleted domain is no longer watched, so new links do not name it. */
async function retained(projectId: string, domainId: string): Promise<Row | null> {
  const found = await findRetained(projectId, domainId)
  return found && { ...found, trackingHost: null }
}
