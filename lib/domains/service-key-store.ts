import { generateDkimKey } from "@/lib/domains/rotation/keys"
import { open, seal } from "@/lib/platform/crypto"
import { unscoped } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"

/** The key pair with which the service domain signs system emails. */
export type ServiceKey = { domain: string; selector: string; publicKey: string; privateKeyPem: string }

const selector = "mailroom"

/** Where the public half is published. */
export function serviceKeyName(domain: string): string {
  return `${selector}._domainkey.${domain}`
}

export function serviceKeyRecord(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`
}

/** The key of the service domain, generated on first use. */
export async function serviceKey(domain = env().serviceDomain): Promise<ServiceKey> {
  return (await read(domain)) ?? add(domain)
}

async function add(domain: string): Promise<ServiceKey> {
  const { privateKeyPem, publicKeyBase64 } = await generateDkimKey()
  const privateKey = new Uint8Array(seal(privateKeyPem, purposeOf(domain)))
  await unscoped().serviceKey.createMany({
    data: { domain, selector, publicKey: publicKeyBase64, privateKey },
    skipDuplicates: true,
  })
  // Another process may have been first: the stored key counts.
  const stored = await read(domain)
  if (!stored) throw new Error("The key of the service domain was not stored.")
  return stored
}

async function read(domain: string): Promise<ServiceKey | null> {
  const row = await unscoped().serviceKey.findUnique({
    where: { domain },
    select: { domain: true, selector: true, publicKey: true, privateKey: true },
  })
  if (!row) return null
  const { privateKey, ...shown } = row
  return { ...shown, privateKeyPem: open(privateKey, purposeOf(domain)).toString() }
}

function purposeOf(domain: string): string {
  return `service_keys.private_key:${domain}`
}
