import { createHash, randomBytes } from "node:crypto"
import pg from "pg"
import { secretKeyOf } from "@/lib/platform/env/env"

/** Identifies a key without revealing it. */
function idOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16)
}

export function keyIdOf(key: string): string {
  return idOf(secretKeyOf(key))
}

/** The id of the key that this database was set up with; null while it has none. */
export async function knownKeyId(databaseUrl: string): Promise<string | null> {
  const { table } = await query(databaseUrl, "select to_regclass('installation') as table", [])
  if (!table) return null
  const { secret_key_id: id } = await query(databaseUrl, "select secret_key_id from installation where id = 1", [])
  return typeof id === "string" ? id : null
}

/**
 * Records which key this database belongs to, or checks it.
 * @throws Error when the database was set up with another key: its secrets could not be read
 */
export async function claimInstallation(databaseUrl: string, secretKey: Buffer) {
  const keyId = idOf(secretKey)
  const found = await query(
    databaseUrl,
    `insert into installation (id, secret_key_id) values (1, $1)
     on conflict (id) do update set secret_key_id = coalesce(installation.secret_key_id, excluded.secret_key_id)
     returning secret_key_id`,
    [keyId],
  )
  if (found.secret_key_id === keyId) return
  throw new Error(
    `This database was set up with another SECRET_KEY (its id is ${found.secret_key_id}, this one's is ${keyId}). ` +
      "Start with that key: what is encrypted with it cannot be read with another.",
  )
}

/** A new one-time token for `/setup`, of which only the hash is stored; null once the first run is completed. */
export async function firstRunToken(databaseUrl: string): Promise<string | null> {
  const token = randomBytes(32).toString("base64url")
  const hash = createHash("sha256").update(token).digest()
  const open = await query(
    databaseUrl,
    "update installation set setup_token_hash = $1 where id = 1 and completed_at is null returning id",
    [hash],
  )
  return open.id === undefined ? null : token
}

async function query(databaseUrl: string, sql: string, values: unknown[]): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows[0] ?? {}
  } finally {
    await client.end()
  }
}
