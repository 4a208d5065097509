import { shownEventData } from "@/lib/explanation/words"
import { encodeId, idTime } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import type { WebhookEventHead } from "@/lib/webhooks/event-schema"
import {
  allEvents,
  eventText,
  firstFailing,
  ShapingFailed,
  startWork,
  transformed,
  type EventFilter,
  type Payload,
  type ShapingFault,
  type TimeBudget,
  type Transformation,
  type WebhookEvent,
} from "@/lib/webhooks/rules"

/** What a webhook needs of a dispatched event. */
export type SourceEvent = {
  id: string
  projectId: string
  emailId: string | null
  type: string
  data: Record<string, string>
  occurredAt: Date
}

const types: ReadonlySet<string> = new Set(allEvents)

/** The type under which webhooks subscribe to an event; null for one that they cannot. Events of emails are stored without `email.`. */
export function webhookTypeOf({ type }: Pick<SourceEvent, "type">): WebhookEvent | null {
  const name = type.includes(".") ? type : `email.${type}`
  return isWebhookEvent(name) ? name : null
}

function isWebhookEvent(name: string): name is WebhookEvent {
  return types.has(name)
}

/** The event as webhooks receive it, before their transformations. */
export function payloadOf(event: SourceEvent, type: WebhookEvent): Payload {
  const { id, projectId, emailId, data, occurredAt } = event
  const head: WebhookEventHead = {
    id: encodeId("evt", id),
    type,
    timestamp: occurredAt.toISOString(),
    createdAt: new Date(idTime(id)).toISOString(),
    projectId: encodeId("proj", projectId),
  }
  const fields = {
    ...withPublicIds(shownEventData(data), type),
    ...(emailId && { emailId: encodeId("email", emailId) }),
  }
  return { ...head, data: fields }
}

const idFields = { contactId: "con", domainId: "dom", suppressionId: "sup", emailId: "email" } as const

/** What the database writes of itself has its own ids; events of emails have public ones already. */
function withPublicIds(data: Record<string, string>, type: WebhookEvent): Record<string, string> {
  if (type.startsWith("email.")) return data
  const encoded = Object.entries(idFields).flatMap(([field, prefix]) =>
    data[field] === undefined ? [] : [[field, encodeId(prefix, data[field])]],
  )
  return { ...data, ...(Object.fromEntries(encoded) as Record<string, string>) }
}

export type Shaping = {
  filters?: EventFilter[] | null | undefined
  transformations?: Transformation[] | null | undefined
}

/**
 * What a webhook makes of an event: the filter that leaves it out (-1 for none), and the body that is signed and sent. The
 * work is bounded in time and size; `fault` says that it was given up.
 */
export type Shaped = { failing: number; body: string; fault?: ShapingFault }

export function shaped(payload: Payload, { filters, transformations }: Shaping, begin = startWork): Shaped {
  try {
    return shapedOnce(payload, filters ?? [], transformations ?? [], begin)
  } catch (error) {
    if (error instanceof ShapingFailed) return { failing: -1, body: "", fault: error.fault }
    // Whatever else goes wrong with one event must not hold up those behind it.
    log.error({ err: error }, "an event could not be shaped for a webhook")
    return { failing: -1, body: "", fault: "shaping_failed" }
  }
}

/** A pause of the process, such as a collection of garbage, must not count against a webhook: what was too slow is tried again. */
function shapedOnce(
  payload: Payload,
  filters: EventFilter[],
  transformations: Transformation[],
  begin: () => TimeBudget,
  again = true,
): Shaped {
  const work = begin()
  try {
    const failing = firstFailing(filters, payload, work)
    // What a webhook leaves as it is needs no counting.
    if (!transformations.length) return { failing, body: JSON.stringify(payload) }
    return { failing, body: eventText(transformed(transformations, payload, work), work) }
  } catch (error) {
    if (!again || !(error instanceof ShapingFailed) || error.fault !== "shaping_too_slow") throw error
    return shapedOnce(payload, filters, transformations, begin, false)
  }
}

/** What a test sends: an event that happened to no email. */
export function testPayload({ eventId, projectId, now }: { eventId: string; projectId: string; now: Date }): Payload {
  const head: WebhookEventHead = {
    id: encodeId("evt", eventId),
    type: "webhook.test",
    timestamp: now.toISOString(),
    createdAt: now.toISOString(),
    projectId: encodeId("proj", projectId),
  }
  return { ...head, data: { message: "This is a test of your webhook." } }
}
