import type { Identity } from "@/lib/access/credentials/identity-providers"
import { pool, transaction } from "@/lib/platform/database/db"

/** The user to whom an account at a provider is bound, or null. */
export async function userOfIdentity({ provider, subject }: Identity): Promise<string | null> {
  const { rows } = await pool().query<{ user_id: string }>(
    "SELECT user_id FROM identities WHERE provider = $1 AND subject = $2",
    [provider, subject],
  )
  return rows[0]?.user_id ?? null
}

/** Binds the account to the user; false when one of the two is bound to another. */
export async function linkIdentity(userId: string, { provider, subject }: Identity): Promise<boolean> {
  return transaction(async (client) => {
    await client.query("SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE", [userId])
    await client.query(
      `INSERT INTO identities (provider, subject, user_id) SELECT $1, $2, $3
        WHERE NOT EXISTS (SELECT 1 FROM identities WHERE provider = $1 AND user_id = $3) ON CONFLICT DO NOTHING`,
      [provider, subject, userId],
    )
    const { rowCount } = await client.query(
      "SELECT 1 FROM identities WHERE provider = $1 AND subject = $2 AND user_id = $3",
      [provider, subject, userId],
    )
    return Boolean(rowCount)
  })
}
