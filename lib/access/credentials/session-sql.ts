import { unscoped } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

/** How a session was opened. */
export type SignInWay = "password" | "link" | "github" | "google"

export type NewSession = { by?: SignInWay; ip?: string; userAgent?: string; passwordHash?: string }

/**
 * Opens a session of 14 days at most. Null without such a user, and when `passwordHash` is no longer the user's: changing
 * or removing a password ends the sessions it opened, and no new one may open meanwhile. Raw, because the check locks the
 * user's row.
 */
export async function openSession(userId: string, from: NewSession): Promise<string | null> {
  const id = newId()
  const opened = await unscoped().$executeRaw`
    INSERT INTO sessions (id, user_id, expires_at, signed_in_by, ip, user_agent)
      SELECT ${id}::uuid, id, now() + interval '14 days', ${from.by ?? "password"}, ${from.ip ?? null},
          left(${from.userAgent ?? null}, 500)
        FROM users WHERE id = ${userId}::uuid
          AND (${from.passwordHash ?? null}::text IS NULL OR password_hash = ${from.passwordHash ?? null}) FOR SHARE`
  return opened ? id : null
}

/** Records that a session is used. Raw, because requests wait for it: it is one statement. */
export async function touchSession(sessionId: string): Promise<void> {
  await unscoped().$executeRaw`UPDATE sessions SET last_seen_at = now() WHERE id = ${sessionId}::uuid`
}
