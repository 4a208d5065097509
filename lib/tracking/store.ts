import { lockAddresses } from "@/lib/consent/locks-sql"
import { suppress, unsubscribeContacts } from "@/lib/consent/suppressions-sql"
import { transaction, type Queryable } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { encodeId, newId } from "@/lib/platform/ids"
import { contactOf, leaveTopic } from "@/lib/tracking/preferences-store"

type Mail = {
  project_id: string
  email_id: string
  address: string
  canonical: string
  subject: string
  topic_id: string | null
  told: boolean
}

/**
 * Takes the recipient of a delivery out of the topic of its mail; without a topic, or asked to leave all, suppresses the
 * address in the project. Tells so once in the timeline of the email, whose status stays what it is. Asked again it does
 * so again, should the owner have undone it meanwhile.
 */
export async function unsubscribe(
  deliveryId: string,
  method: "one-click" | "page",
  { fromAll = false } = {},
): Promise<void> {
  await transaction(async (client) => {
    // The lock lets the second of two simultaneous clicks see the event of the first.
    await client.query("SELECT 1 FROM deliveries WHERE id = $1 FOR NO KEY UPDATE", [deliveryId])
    const mail = await readMail(client, deliveryId)
    if (!mail) return
    const topicId = fromAll ? null : mail.topic_id
    const eventId = newId()
    await lockAddresses(mail.project_id, [mail.canonical], client)
    if (topicId) await leaveTopic(client, { projectId: mail.project_id, email: mail.canonical, topicId })
    else {
      const evidence = { emailId: mail.email_id, ...(mail.told ? {} : { eventId }) }
      const listed = await suppress(
        mail.project_id,
        { email: mail.canonical, reason: "unsubscribe", ...evidence },
        client,
      )
      if (!listed) await rememberBehindComplaint(client, mail)
    }
    if (!mail.told) await tell(client, { deliveryId, eventId, mail, method, topicId })
  })
}

async function readMail(client: Queryable, deliveryId: string): Promise<Mail | undefined> {
  const { rows } = await client.query<Mail>(
    `SELECT d.project_id, d.email_id, d.address, d.canonical, e.subject, t.id AS topic_id, EXISTS (
        SELECT 1 FROM events v WHERE v.project_id = d.project_id AND v.email_id = d.email_id AND v.delivery_id = d.id
          AND v.type = 'unsubscribed') AS told
      FROM deliveries d JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id
        LEFT JOIN topics t ON t.project_id = e.project_id AND t.id = e.topic_id AND t.deleted_at IS NULL
      WHERE d.id = $1`,
    [deliveryId],
  )
  return rows[0]
}

/** A complaint stays on the list, so that the contact alone can hold the unsubscribe, and outlive the complaint with it. */
async function rememberBehindComplaint(client: Queryable, { project_id, canonical }: Mail) {
  const { rowCount } = await client.query(
    "SELECT 1 FROM suppressions WHERE project_id = $1 AND email = $2 AND reason = 'complaint'",
    [project_id, canonical],
  )
  if (!rowCount) return
  await contactOf(client, { projectId: project_id, email: canonical })
  await unsubscribeContacts(project_id, [canonical], client)
}

type Told = { deliveryId: string; eventId: string; mail: Mail; method: string; topicId: string | null }

async function tell(client: Queryable, { deliveryId, eventId, mail, method, topicId }: Told) {
  const simulated = mail.canonical.endsWith(`@simulator.${env().serviceDomain}`)
  const data = {
    to: mail.address,
    subject: mail.subject,
    method,
    ...(topicId ? { topicId: encodeId("top", topicId) } : {}),
    ...(simulated ? { simulator: "true" } : {}),
  }
  await client.query(
    `INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at)
      VALUES ($1, $2, $3, $4, 'unsubscribed', $5, clock_timestamp())`,
    [eventId, mail.project_id, mail.email_id, deliveryId, data],
  )
}
