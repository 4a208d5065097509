import type pg from "pg"
import { suppress } from "@/lib/consent/suppressions-sql"
import { advance, isUnderWay, lockRead } from "@/lib/delivery/queue/engaged-sql"
import { isSimulated } from "@/lib/delivery/transports/simulator"
import { addPastEvents } from "@/lib/emails/events/data"
import { newId } from "@/lib/platform/ids"

/**
 * Records that a recipient marked an email as spam: its event, its status, and the suppression of the address. Once per
 * delivery, however often it is reported; nothing while the email is still being sent. On `pg`, because a report names a
 * delivery and not its project.
 */
export async function recordComplaint(client: pg.PoolClient, deliveryId: string): Promise<void> {
  const [delivery] = await lockRead(client, [deliveryId])
  if (!delivery || delivery.status === "complained" || isUnderWay(delivery)) return
  const { projectId, emailId, address: to, subject, canonical } = delivery
  const simulated = isSimulated(canonical)
  const eventId = newId()
  const data = { to, subject, ...(simulated ? { simulator: "true" } : {}) }
  await addPastEvents(client, [
    { id: eventId, projectId, emailId, deliveryId, type: "complained", data, occurredAt: null },
  ])
  await advance(client, [{ delivery, to: "complained" }])
  if (!simulated || canonical.includes("+"))
    await suppress(projectId, { email: canonical, reason: "complaint", emailId, eventId }, client)
}
