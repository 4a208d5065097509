import { sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

export type SentDelivery = { id: string; recipient: string }

const atOnce = 50

/** Deliveries of as many recipients; with `delivered` as if their servers had taken the mail. */
export async function newDeliveries(
  sender: Sending,
  count: number,
  { delivered = false } = {},
): Promise<SentDelivery[]> {
  await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [sender.projectId])
  const made: SentDelivery[] = []
  while (made.length < count) {
    const to = Array.from({ length: Math.min(atOnce, count - made.length) }, () => `r${newId()}@lovelace.example`)
    const emailIds = await sendMail(sender, { to })
    const { rows } = await pool().query<SentDelivery>(
      "SELECT id, address AS recipient FROM deliveries WHERE email_id = ANY ($1)",
      [emailIds],
    )
    made.push(...rows)
  }
  if (delivered) {
    for (const table of ["deliveries", "emails"])
      await pool().query(`UPDATE ${table} SET status = 'delivered', due_at = NULL WHERE project_id = $1`, [
        sender.projectId,
      ])
  }
  return made
}
