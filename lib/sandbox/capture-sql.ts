import type { Verdicts } from "@/lib/sandbox/schema"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

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
 * Stores a message in the mailbox of the project that the delivery belongs to. Committed when this returns; null if there
 * is no such delivery: then nobody sees it. A mail that is delivered twice is stored twice, as in any mailbox. On `pg`,
 * because a delivery attempt waits for it and only the delivery names the project.
 */
export async function captureMessage(message: Captured): Promise<string | null> {
  const { verdicts, raw } = message
  const { rows } = await pool().query<{ id: string }>({
    name: "sandbox.capture",
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
