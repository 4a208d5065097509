import { pool } from "@/lib/platform/db"
import { open } from "@/lib/platform/crypto"
import type { Region } from "@/lib/platform/env-settings"
import { keyPurpose } from "./keys"
import type { DomainStatus } from "./rules"

/** What a hand-off needs of the sending domain. */
export type Sender = {
  domain: string
  region: Region
  status: DomainStatus
  mailFromDomain: string
  /** Not the selector, which a later key takes over. */
  keyId: string
  selector: string
  /** PKCS#8. */
  privateKeyPem: string
}

/** The sender by the domain's id, with the key in use; null once the domain is deleted. */
export async function findSender(projectId: string, domainId: string): Promise<Sender | null> {
  const { rows: [row] } = await pool().query<Row>(
    `SELECT d.name, d.region, d.status, d.mail_from_domain, k.id AS key_id, k.selector, k.private_key
      FROM domains d JOIN dkim_keys k ON k.project_id = d.project_id AND k.domain_id = d.id AND k.state = 'active'
      WHERE d.project_id = $1 AND d.id = $2`,
    [projectId, domainId],
  )
  if (!row) return null
  return {
    domain: row.name,
    region: row.region,
    status: row.status,
    mailFromDomain: row.mail_from_domain,
    keyId: row.key_id,
    selector: row.selector,
    privateKeyPem: open(row.private_key, keyPurpose(row.key_id)).toString(),
  }
}

type Row = {
  name: string; region: Region; status: DomainStatus; mail_from_domain: string; key_id: string; selector: string
  private_key: Buffer
}
