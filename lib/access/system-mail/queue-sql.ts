import { open } from "@/lib/platform/crypto"
import { unscoped } from "@/lib/platform/database/db"
import { contentPurpose, type SystemMail } from "@/lib/access/system-mail/system-mail"

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
    mail: JSON.parse(open(Buffer.from(content), contentPurpose(row.id)).toString()) as SystemMail,
  }))
}
