import { lockAddresses } from "@/lib/consent/locks-sql"
import { setContactsUnsubscribed, suppress } from "@/lib/consent/suppressions-sql"
import { addEvents, hasEvent } from "@/lib/emails/event-store"
import { unscoped } from "@/lib/platform/database/db"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { env } from "@/lib/platform/env/env"
import { encodeId, newId } from "@/lib/platform/ids"
import { contactOf, leaveTopic } from "@/lib/tracking/preferences-store"

/** The email that a recipient leaves by its link. */
type LinkedDelivery = {
  id: string
  projectId: string
  emailId: string
  address: string
  canonical: string
  email: { subject: string; topicId: string | null }
}

/**
 * Takes the recipient of a delivery out of the topic of its mail; without a topic, or asked to leave all, suppresses the
 * address in the project. Recorded once in the timeline of the email, whose status is unchanged. A repeated
 * request repeats it, because the owner may have undone it meanwhile.
 */
export async function unsubscribe(
  deliveryId: string,
  method: "one-click" | "page" | "email",
  { fromAll = false } = {},
): Promise<void> {
  const delivery = await unscoped().delivery.findUnique({
    where: { id: deliveryId },
    select: {
      ...{ id: true, projectId: true, emailId: true, address: true, canonical: true },
      email: { select: { subject: true, topicId: true } },
    },
  })
  if (!delivery) return
  const { projectId, emailId, canonical } = delivery
  const scope = { project: { id: projectId } }
  await db(scope).$transaction(async (tx) => {
    // The second of two simultaneous clicks waits here, and then sees the event of the first.
    await lockAddresses(projectId, [canonical], tx)
    const isRecorded = await hasEvent(scope, { emailId, deliveryId, type: "unsubscribed" }, tx)
    const topicId = fromAll ? null : await existingTopic(tx, delivery.email.topicId)
    const eventId = newId()
    if (topicId) await leaveTopic(tx, { projectId, email: canonical, topicId })
    else {
      const evidence = { emailId, ...(isRecorded ? {} : { eventId }) }
      const listed = await suppress(projectId, { email: canonical, reason: "unsubscribe", ...evidence }, tx)
      if (!listed) await rememberBehindComplaint(tx, delivery)
    }
    if (!isRecorded) await recordEvent(scope, { delivery, eventId, method, topicId }, tx)
  })
}

async function existingTopic(tx: ScopedDb, id: string | null): Promise<string | null> {
  if (id === null) return null
  const topic = await tx.topic.findUnique({ where: { id, deletedAt: null }, select: { id: true } })
  return topic && topic.id
}

/** A complaint stays on the list, so that the contact alone can hold the unsubscribe, and outlive the complaint with it. */
async function rememberBehindComplaint(tx: ScopedDb, { projectId, canonical }: LinkedDelivery) {
  const complaints = await tx.suppression.count({ where: { email: canonical, reason: "complaint" } })
  if (!complaints) return
  await contactOf(tx, { projectId, email: canonical })
  await setContactsUnsubscribed(projectId, [canonical], true, tx)
}

type Recorded = { delivery: LinkedDelivery; eventId: string; method: string; topicId: string | null }

async function recordEvent(scope: InProject, { delivery, eventId, method, topicId }: Recorded, tx: ScopedDb) {
  const isSimulated = delivery.canonical.endsWith(`@simulator.${env().serviceDomain}`)
  const data = {
    to: delivery.address,
    subject: delivery.email.subject,
    method,
    ...(topicId ? { topicId: encodeId("top", topicId) } : {}),
    ...(isSimulated ? { simulator: "true" } : {}),
  }
  const { id: deliveryId, emailId } = delivery
  await addEvents(scope, [{ id: eventId, emailId, deliveryId, type: "unsubscribed", data }], tx)
}
