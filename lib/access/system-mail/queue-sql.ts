import { open, seal } from "@/lib/platform/crypto"
import { unscoped } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import type { SystemMail } from "@/lib/access/system-mail/system-mail"
import type { Prisma } from "@/prisma/generated/client"

/**
 * Queues system mail; it is dropped unsent after `expiresAt`. Raw, because it is due by the database's clock, which the
 * column rounds up to a millisecond that may not have come yet.
 */
export async function queueSystemMail(
  mail: SystemMail,
  expiresAt: Date,
  on: Pick<Prisma.TransactionClient, "$executeRaw"> = unscoped(),
): Promise<void> {
  const id = newId()
  await on.$executeRaw`
    INSERT INTO system_mails (id, content, due_at, expires_at)
      VALUES (${id}::uuid, ${seal(JSON.stringify(mail), purposeOf(id))}, now() - interval '1 millisecond',
        ${expiresAt}::timestamptz)`
}

/** System mail that this worker holds until its lease ends. */
export type ClaimedSystemMail = { id: string; attempts: number; createdAt: Date; expired: boolean; mail: SystemMail }

/**
 * Claims up to `limit` due system mails for `leaseMs`; those of a worker that dies are due again when the lease ends. Raw,
 * because Prisma has no SKIP LOCKED.
 */
export async function claimSystemMails(limit: number, leaseMs: number): Promise<ClaimedSystemMail[]> {
  type Row = { id: string; attempts: number; createdAt: Date; expired: boolean; content: Uint8Array }
  const rows = await unscoped().$queryRaw<Row[]>`
    UPDATE system_mails SET attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseMs / 1_000}::float8)
      WHERE id IN (SELECT id FROM system_mails WHERE due_at <= now() ORDER BY due_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)
      RETURNING id, attempts, created_at AS "createdAt", expires_at <= now() AS expired, content`
  return rows.map(({ content, ...row }) => ({
    ...row,
    mail: JSON.parse(open(Buffer.from(content), purposeOf(row.id)).toString()) as SystemMail,
  }))
}

/** Extends the leases; returns the ids that the same attempt still holds. Raw, because it is one statement for a set. */
export async function extendLeases(held: readonly ClaimedSystemMail[], leaseMs: number): Promise<Set<string>> {
  const [ids, attempts] = [held.map(({ id }) => id), held.map(({ attempts }) => attempts)]
  const rows = await unscoped().$queryRaw<{ id: string }[]>`
    UPDATE system_mails m SET due_at = now() + make_interval(secs => ${leaseMs / 1_000}::float8)
      FROM unnest(${ids}::uuid[], ${attempts}::int[]) AS h(id, attempts) WHERE m.id = h.id AND m.attempts = h.attempts
      RETURNING m.id`
  return new Set(rows.map(({ id }) => id))
}

/** Retries the mail after so many seconds. Raw, because it is due by the database's clock. */
export async function deferSystemMail({ id, attempts }: ClaimedSystemMail, seconds: number): Promise<void> {
  await unscoped().$executeRaw`
    UPDATE system_mails SET due_at = now() + make_interval(secs => ${seconds}::float8)
      WHERE id = ${id}::uuid AND attempts = ${attempts}::int`
}

function purposeOf(id: string): string {
  return `system_mails|content|${id}|`
}
