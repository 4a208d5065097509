import type { ClaimedSystemMail } from "@/lib/access/system-mail/queue-store"
import type { SystemMail } from "@/lib/access/system-mail/system-mail"
import { open, seal } from "@/lib/platform/crypto"
import { pool, transaction } from "@/lib/platform/database/db"
import { cutText } from "@/lib/platform/text"

export type UndeliveredMail = { kind: SystemMail["kind"]; to: string; reason: string; queuedAt: Date; failedAt: Date }

const reasonCharsMax = 300
const shownMax = 200

/** Gives a mail up for good: who it was for and why is kept for the operator, its content is not. */
export async function giveUpSystemMail(
  { id, attempts, createdAt, mail }: ClaimedSystemMail,
  reason: string,
): Promise<void> {
  const inviteId = mail.kind === "invite" ? (mail.inviteId ?? null) : null
  await transaction(async (client) => {
    const { rowCount } = await client.query("DELETE FROM system_mails WHERE id = $1 AND attempts = $2", [id, attempts])
    if (!rowCount) return
    await client.query(
      `INSERT INTO undelivered_system_mails (id, kind, recipient, invite_id, reason, queued_at)
        VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, mail.kind, seal(mail.to, purposeOf(id)), inviteId, cutText(reason, reasonCharsMax), createdAt],
    )
  })
}

/** The newest mails that could not be delivered, newest first. */
export async function listUndeliveredMail(): Promise<UndeliveredMail[]> {
  type Row = Omit<UndeliveredMail, "to"> & { id: string; recipient: Buffer }
  const { rows } = await pool().query<Row>(
    `SELECT id, kind, recipient, reason, queued_at AS "queuedAt", failed_at AS "failedAt"
      FROM undelivered_system_mails ORDER BY failed_at DESC, id DESC LIMIT $1`,
    [shownMax],
  )
  return rows.map(({ id, recipient, kind, ...row }) => ({
    kind,
    to: open(recipient, purposeOf(id)).toString(),
    ...row,
  }))
}

function purposeOf(id: string): string {
  return `undelivered_system_mails|recipient|${id}|`
}
