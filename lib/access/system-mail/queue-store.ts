import { open, seal } from "@/lib/platform/crypto"
import { pool, type Queryable } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import type { SystemMail } from "@/lib/access/system-mail/system-mail"

/** Puts a mail of the installation into the queue; after `expiresAt` it is worth nothing and is dropped unsent. */
export async function queueSystemMail(mail: SystemMail, expiresAt: Date, on: Queryable = pool()): Promise<void> {
  const id = newId()
  await on.query(
    "INSERT INTO system_mails (id, content, due_at, expires_at) VALUES ($1, $2, now() - interval '1 millisecond', $3)",
    [id, seal(JSON.stringify(mail), purposeOf(id)), expiresAt],
  )
}

/** A mail that this worker holds until its lease ends. */
export type ClaimedSystemMail = { id: string; attempts: number; createdAt: Date; expired: boolean; mail: SystemMail }

/** Takes up to `limit` due mails for `leaseMs`; those of a worker that dies are due again when the lease ends. */
export async function claimSystemMails(limit: number, leaseMs: number): Promise<ClaimedSystemMail[]> {
  type Row = { id: string; attempts: number; createdAt: Date; expired: boolean; content: Buffer }
  const { rows } = await pool().query<Row>(
    `UPDATE system_mails SET attempts = attempts + 1, due_at = now() + make_interval(secs => $2 / 1000.0)
      WHERE id IN (SELECT id FROM system_mails WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING id, attempts, created_at AS "createdAt", expires_at <= now() AS expired, content`,
    [limit, leaseMs],
  )
  return rows.map(({ content, ...row }) => ({
    ...row,
    mail: JSON.parse(open(content, purposeOf(row.id)).toString()) as SystemMail,
  }))
}

/** Keeps holding; answers the ids that are still held by the same attempt. */
export async function prolongSystemMails(held: readonly ClaimedSystemMail[], leaseMs: number): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>(
    `UPDATE system_mails m SET due_at = now() + make_interval(secs => $3 / 1000.0)
      FROM unnest($1::uuid[], $2::int[]) AS h(id, attempts) WHERE m.id = h.id AND m.attempts = h.attempts RETURNING m.id`,
    [held.map(({ id }) => id), held.map(({ attempts }) => attempts), leaseMs],
  )
  return new Set(rows.map(({ id }) => id))
}

/** The mail has left, or there is nobody to write to: nothing of it is kept. */
export async function forgetSystemMail({ id, attempts }: ClaimedSystemMail): Promise<void> {
  await pool().query("DELETE FROM system_mails WHERE id = $1 AND attempts = $2", [id, attempts])
}

/** Tries the mail again after so many seconds. */
export async function putOffSystemMail({ id, attempts }: ClaimedSystemMail, seconds: number): Promise<void> {
  await pool().query(
    "UPDATE system_mails SET due_at = now() + make_interval(secs => $3) WHERE id = $1 AND attempts = $2",
    [id, attempts, seconds],
  )
}

function purposeOf(id: string): string {
  return `system_mails|content|${id}|`
}
