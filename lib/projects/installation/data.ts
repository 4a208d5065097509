import type { Queryable } from "@/lib/platform/database/db"

// On `pg`, because the supervisor runs these before and beside its processes: Prisma would cost it 90 MB.

/**
 * The id of the secret key that this database was set up with; null while it has none, or no tables yet, which is no error in
 * the log.
 */
export async function knownKeyId(on: Queryable): Promise<string | null> {
  const { rows: tables } = await on.query<{ name: string | null }>("SELECT to_regclass('installation')::text AS name")
  if (!tables[0]?.name) return null
  const { rows } = await on.query<{ id: string | null }>("SELECT secret_key_id AS id FROM installation WHERE id = 1")
  return rows[0]?.id ?? null
}

/** Records the id of the secret key unless the database has one; answers the one that it has. */
export async function recordKeyId(keyId: string, on: Queryable): Promise<string | undefined> {
  const { rows } = await on.query<{ id: string }>(
    `INSERT INTO installation (id, secret_key_id) VALUES (1, $1)
      ON CONFLICT (id) DO UPDATE SET secret_key_id = coalesce(installation.secret_key_id, excluded.secret_key_id)
      RETURNING secret_key_id AS id`,
    [keyId],
  )
  return rows[0]?.id
}

/** Stores the hash of a new token for the set-up; false once the set-up is complete. */
export async function storeSetUpToken(hash: Buffer, on: Queryable): Promise<boolean> {
  const { rowCount } = await on.query(
    "UPDATE installation SET setup_token_hash = $1 WHERE id = 1 AND completed_at IS NULL",
    [hash],
  )
  return rowCount === 1
}
