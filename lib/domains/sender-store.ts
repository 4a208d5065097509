import { pool } from "@/lib/platform/database/db"
import { open } from "@/lib/platform/crypto"
import { db } from "@/lib/platform/database/scoped-db"
import { keyPurpose } from "@/lib/domains/rotation/keys"

/** What a hand-off needs of the sending domain. */
export type Sender = {
  domain: string
  mailFromDomain: string
  /** Not the selector, which a later key takes over. */
  keyId: string
  selector: string
  /** PKCS#8. */
  privateKeyPem: string
}

/** The sender by the domain's id, with the key in use; null once the domain is deleted and its accepted mail has ended. */
export async function findSender(projectId: string, domainId: string): Promise<Sender | null> {
  const {
    rows: [row],
  } = await pool().query<Row>(
    `SELECT d.name, d.mail_from_domain, k.id AS key_id, k.selector, k.private_key
      FROM domains d JOIN dkim_keys k ON k.project_id = d.project_id AND k.domain_id = d.id AND k.state = 'active'
      WHERE d.project_id = $1 AND d.id = $2`,
    [projectId, domainId],
  )
  const found = row ?? (await findRetained(projectId, domainId))
  if (!found) return null
  return {
    domain: found.name,
    mailFromDomain: found.mail_from_domain,
    keyId: found.key_id,
    selector: found.selector,
    privateKeyPem: open(found.private_key, keyPurpose(found.key_id)).toString(),
  }
}

/** What a deletion kept for the mail that was accepted before it. */
async function findRetained(projectId: string, domainId: string): Promise<Row | null> {
  const signer = await db({ project: { id: projectId } }).retainedSigner.findUnique({ where: { domainId } })
  return (
    signer && {
      name: signer.domain,
      mail_from_domain: signer.mailFromDomain,
      key_id: signer.keyId,
      selector: signer.selector,
      private_key: signer.privateKey,
    }
  )
}

type Row = { name: string; mail_from_domain: string; key_id: string; selector: string; private_key: Uint8Array }
