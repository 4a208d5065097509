import type { SandboxMessage, Verdicts } from "@/lib/sandbox/schema"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"

export type Captured = {
  deliveryId: string
  mailFrom: string
  rcptTo: string
  subject: string | null
  from: string | null
  verdicts: Verdicts
  raw: Buffer
}

/**
 * Keeps a message in the mailbox of the project whose delivery it is. Committed when this returns; null if there is no
 * such delivery, and then nobody sees it. A mail that is handed off twice lies there twice, as in any mailbox.
 */
export async function keepMessage(message: Captured): Promise<string | null> {
  const { verdicts, raw } = message
  const { rows } = await pool().query<{ id: string }>({
    name: "sandbox.keep",
    text: `INSERT INTO sandbox_messages (id, project_id, email_id, delivery_id, mail_from, rcpt_to, subject,
        from_header, dkim, spf, dmarc, verdicts, size, raw)
      SELECT $1, d.project_id, d.email_id, d.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
        FROM deliveries d WHERE d.id = $2 RETURNING id`,
    values: [
      newId(),
      message.deliveryId,
      message.mailFrom,
      message.rcptTo,
      message.subject,
      message.from,
      verdicts.dkim.result,
      verdicts.spf.result,
      verdicts.dmarc.result,
      verdicts,
      raw.length,
      raw,
    ],
  })
  return rows[0]?.id ?? null
}

type Row = {
  id: string
  email_id: string
  mail_from: string
  rcpt_to: string
  subject: string | null
  from_header: string | null
  dkim: string
  spf: string
  dmarc: string
  size: number
  created_at: Date
}

const COLUMNS = "id, email_id, mail_from, rcpt_to, subject, from_header, dkim, spf, dmarc, size, created_at"

/** Messages of the project's sandbox mailbox, newest first. */
export async function listMessages(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: SandboxMessage[]; total: number }> {
  const [listed, counted] = await Promise.all([
    pool().query<Row>(
      `SELECT ${COLUMNS} FROM sandbox_messages WHERE project_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
      [scope.project.id, request.size, offset(request)],
    ),
    pool().query<{ count: number }>("SELECT count(*)::int AS count FROM sandbox_messages WHERE project_id = $1", [
      scope.project.id,
    ]),
  ])
  return { data: listed.rows.map(toMessage), total: counted.rows[0]?.count ?? 0 }
}

export type KeptMessage = SandboxMessage & { mailFrom: string; verdicts: Verdicts; raw: Buffer }

export async function findMessage(scope: Scope, messageId: string): Promise<KeptMessage | null> {
  const { rows } = await pool().query<Row & { verdicts: Verdicts; raw: Buffer }>(
    `SELECT ${COLUMNS}, verdicts, raw FROM sandbox_messages WHERE project_id = $1 AND id = $2`,
    [scope.project.id, messageId],
  )
  const [row] = rows
  return row ? { ...toMessage(row), mailFrom: row.mail_from, verdicts: row.verdicts, raw: row.raw } : null
}

function toMessage(row: Row): SandboxMessage {
  return {
    id: row.id,
    emailId: row.email_id,
    from: row.from_header ?? "",
    to: row.rcpt_to,
    subject: present(row.subject),
    dkim: row.dkim,
    spf: row.spf,
    dmarc: row.dmarc,
    size: row.size,
    receivedAt: row.created_at,
  }
}
