import { addPersonAudit } from "@/lib/access/audit-store"
import { systemMailWorthMs, systemRelay } from "@/lib/access/system-mail/system-mail"
import { queueSystemMail } from "@/lib/access/system-mail/queue-store"
import { pool, type Queryable } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"

/** How an address was proven: by a link that went to it, or by a provider that verified it. */
export type Proof = { by: "link" | "github" | "google"; ip: string }

/**
 * The person has shown that the account's address is theirs. At the first time, everything that opened the account
 * before is removed: it may have been set by whoever saw the link of an invite.
 */
export async function proveAddress(userId: string, { by, ip }: Proof, client: Queryable): Promise<void> {
  const { rows } = await client.query<{ email: string; had_password: boolean }>(
    "SELECT email, password_hash IS NOT NULL AS had_password FROM users WHERE id = $1 AND email_proven_at IS NULL FOR NO KEY UPDATE",
    [userId],
  )
  const [proven] = rows
  if (!proven) return
  await client.query("UPDATE users SET email_proven_at = now(), password_hash = NULL WHERE id = $1", [userId])
  await client.query("DELETE FROM identities WHERE user_id = $1", [userId])
  await client.query("DELETE FROM sign_in_links WHERE user_id = $1 OR email = $2", [userId, proven.email])
  await client.query("UPDATE sessions SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL", [userId])
  await addToAudit(userId, { by, ip, passwordRemoved: proven.had_password }, client)
  if (proven.had_password && systemRelay()) {
    await queueSystemMail(
      { kind: "password-removed", to: proven.email },
      new Date(Date.now() + systemMailWorthMs),
      client,
    )
  }
}

/** True once the person of an account has shown that its address is theirs. */
export async function isProven(userId: string, on: Queryable = pool()): Promise<boolean> {
  const { rowCount } = await on.query("SELECT 1 FROM users WHERE id = $1 AND email_proven_at IS NOT NULL", [userId])
  return Boolean(rowCount)
}

async function addToAudit(
  userId: string,
  { ip, ...changes }: Proof & { passwordRemoved: boolean },
  client: Queryable,
): Promise<void> {
  const { rows } = await client.query<{ organization_id: string }>(
    "SELECT organization_id FROM members WHERE user_id = $1",
    [userId],
  )
  const entry = { action: "member.address_proven", target: encodeId("usr", userId), changes }
  for (const { organization_id: organizationId } of rows)
    await addPersonAudit({ organizationId, userId, ip }, entry, client)
}
