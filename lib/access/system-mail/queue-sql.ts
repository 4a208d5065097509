import { open } from "@/lib/platform/crypto"
import { claimRows } from "@/lib/platform/jobs/leases-sql"
import { contentPurpose, type SystemMail } from "@/lib/access/system-mail/system-mail"

/** System mail that this worker holds until its lease ends. */
export type ClaimedSystemMail = { id: string; attempts: number; createdAt: Date; expired: boolean; mail: SystemMail }

/** Claims up to `limit` due system mails for `leaseMs`; those of a worker that dies are due again when the lease ends. */
export async function claimSystemMails(limit: number, leaseMs: number): Promise<ClaimedSystemMail[]> {
  type Row = { id: string; attempts: number; createdAt: Date; expired: boolean; content: Buffer }
  const rows = await claimRows<Row>("system_mails", {
    ...{ limit, leaseMs, set: "attempts = attempts + 1" },
    returning: `id, attempts, created_at AS "createdAt", expires_at <= now() AS expired, content`,
  })
  return rows.map(({ content, ...row }) => ({
    ...row,
    mail: JSON.parse(open(content, contentPurpose(row.id)).toString()) as SystemMail,
  }))
}
