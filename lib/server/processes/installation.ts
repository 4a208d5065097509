import { createHash, randomBytes } from "node:crypto"
import type pg from "pg"
import { newClient } from "@/lib/platform/database/client"
import { secretKeyOf } from "@/lib/platform/env/env"
import { knownKeyId, recordKeyId, storeSetUpToken } from "@/lib/projects/installation/data"

/** Identifies a key without revealing it. */
function idOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16)
}

export function keyIdOf(key: string): string {
  return idOf(secretKeyOf(key))
}

/** The id of the key that this database was set up with; null while it has none. */
export function keyIdOfDatabase(databaseUrl: string): Promise<string | null> {
  return connected(databaseUrl, knownKeyId)
}

/**
 * Records which key this database belongs to, or checks it.
 * @throws Error when the database was set up with another key: its secrets could not be read
 */
export async function claimInstallation(databaseUrl: string, secretKey: Buffer) {
  const keyId = idOf(secretKey)
  const known = await connected(databaseUrl, (client) => recordKeyId(keyId, client))
  if (known === keyId) return
  throw new Error(
    `This database was set up with another SECRET_KEY (its id is ${known}, this one's is ${keyId}). ` +
      "Start with that key: what is encrypted with it cannot be read with another.",
  )
}

/** A new one-time token for `/setup`, of which only the hash is stored; null once the first run is completed. */
export async function firstRunToken(databaseUrl: string): Promise<string | null> {
  const token = randomBytes(32).toString("base64url")
  const hash = createHash("sha256").update(token).digest()
  return (await connected(databaseUrl, (client) => storeSetUpToken(hash, client))) ? token : null
}

async function connected<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = newClient(databaseUrl, "mailroom start")
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
