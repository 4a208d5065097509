import { generateDkimKey } from "@/lib/domains/rotation/keys"
import { open, seal } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"

/** The key pair with which the service domain signs system mail. */
export type ServiceKey = { domain: string; selector: string; publicKey: string; privateKeyPem: string }

const selector = "mailroom"

/** Where the public half is published. */
export function serviceKeyName(domain: string): string {
  return `${selector}._domainkey.${domain}`
}

export function serviceKeyRecord(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`
}

/** The key of the service domain; made once, whichever process asks first. */
export async function serviceKey(domain = env().serviceDomain): Promise<ServiceKey> {
  return (await read(domain)) ?? make(domain)
}

async function make(domain: string): Promise<ServiceKey> {
  const { privateKeyPem, publicKeyBase64 } = await generateDkimKey()
  await pool().query(
    "INSERT INTO service_keys (domain, selector, public_key, private_key) VALUES ($1, $2, $3, $4) ON CONFLICT (domain) DO NOTHING",
    [domain, selector, publicKeyBase64, seal(privateKeyPem, purposeOf(domain))],
  )
  // Another process may have been first: what is stored counts.
  const kept = await read(domain)
  if (!kept) throw new Error("The key of the service domain was not stored.")
  return kept
}

async function read(domain: string): Promise<ServiceKey | null> {
  type Row = { selector: string; public_key: string; private_key: Buffer }
  const { rows } = await pool().query<Row>(
    "SELECT selector, public_key, private_key FROM service_keys WHERE domain = $1",
    [domain],
  )
  const [row] = rows
  if (!row) return null
  const privateKeyPem = open(row.private_key, purposeOf(domain)).toString()
  return { domain, selector: row.selector, publicKey: row.public_key, privateKeyPem }
}

function purposeOf(domain: string): string {
  return `service_keys.private_key:${domain}`
}
