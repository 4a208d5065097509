import { addSuppression } from "@/lib/suppressions/store"
import { pool, transaction } from "@/lib/platform/db"
import { env } from "@/lib/platform/env"
import { newId } from "@/lib/platform/ids"
import type { MailInQuestion } from "@/lib/tracking/unsubscribe-page"

/** What the unsubscribe page says of a mail; null once it is gone. */
export async function findMail(deliveryId: string): Promise<MailInQuestion | null> {
  const { rows } = await pool().query<MailInQuestion>(
    `SELECT e.from_header AS sender, d.address AS recipient FROM deliveries d
      JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id WHERE d.id = $1`,
    [deliveryId],
  )
  return rows[0] ?? null
}

/**
 * Suppresses the recipient of a delivery in its project and tells so once in the timeline of the email, whose status
 * stays what it is. Asked again it suppresses again, should the owner have removed the suppression meanwhile.
 */
export async function unsubscribe(deliveryId: string, method: "one-click" | "page"): Promise<void> {
  await transaction(async (client) => {
    type Row = {
      project_id: string
      email_id: string
      address: string
      canonical: string
      subject: string
      told: boolean
    }
    // The lock lets the second of two simultaneous clicks see the event of the first.
    await client.query("SELECT 1 FROM deliveries WHERE id = $1 FOR NO KEY UPDATE", [deliveryId])
    const { rows } = await client.query<Row>(
      `SELECT d.project_id, d.email_id, d.address, d.canonical, e.subject, EXISTS (
          SELECT 1 FROM events v WHERE v.project_id = d.project_id AND v.email_id = d.email_id AND v.delivery_id = d.id
            AND v.type = 'unsubscribed') AS told
        FROM deliveries d JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id WHERE d.id = $1`,
      [deliveryId],
    )
    const [mail] = rows
    if (!mail) return
    const eventId = newId()
    await addSuppression(
      mail.project_id,
      { email: mail.canonical, reason: "unsubscribe", emailId: mail.email_id, ...(mail.told ? {} : { eventId }) },
      client,
    )
    if (mail.told) return
    const simulated = mail.canonical.endsWith(`@simulator.${env().serviceDomain}`)
    const data = { to: mail.address, subject: mail.subject, method, ...(simulated ? { simulator: "true" } : {}) }
    await client.query(
      `INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at)
        VALUES ($1, $2, $3, $4, 'unsubscribed', $5, clock_timestamp())`,
      [eventId, mail.project_id, mail.email_id, deliveryId, data],
    )
  })
}
