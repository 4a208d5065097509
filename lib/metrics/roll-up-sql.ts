import { addHours, addSlices, keysOfDays, type HourRow, type SliceRow, type TopicHourRow } from "@/lib/metrics/hour-sql"
import { countedBefore, deliveriesOf, distinct, faultsOf, mailsOf, onceKey } from "@/lib/metrics/event-facts-sql"
import { countersOf, noCounts, type CountableEvent, type Counter, type Counts } from "@/lib/metrics/rules"
import { evidenceOf, fits, otherKey, slicesOf, type Mail, type Slice } from "@/lib/metrics/slice-rules"
import { dayOf, hourOf } from "@/lib/metrics/window-rules"
import type { Queryable } from "@/lib/platform/database/db"

/**
 * Counts dispatched events by project and hour, those of a topic's mail by topic too, and by hour and day what mail can be
 * broken down by. On `pg`, in the dispatcher's transaction, so that each event counts exactly once; the dispatcher is the
 * only writer.
 */
export async function rollUp(client: Queryable, events: readonly CountableEvent[]): Promise<void> {
  const raised = await raisedBy(client, events)
  if (!raised.length) return
  const hours = new Map<string, HourRow>()
  const topicHours = new Map<string, TopicHourRow>()
  const slices = new Map<string, SliceRow>()
  const keys = await keysOfDays(
    client,
    raised.map(({ event }) => ({ projectId: event.projectId, day: dayOf(event.occurredAt) })),
  )
  for (const { event, counter, mail } of raised) {
    const { projectId, occurredAt } = event
    const [hour, day] = [hourOf(occurredAt), dayOf(occurredAt)]
    raise(hours, `${projectId}|${hour.getTime()}`, { projectId, hour }, counter)
    const { topicId } = mail
    if (topicId) raise(topicHours, `${topicId}|${hour.getTime()}`, { projectId, topicId, hour }, counter)
    const evidence = evidenceOf(counter, mail, event.data.bounceCode)
    for (const slice of [...slicesOf(mail), ...(evidence ? [evidence] : [])]) {
      const { dimension } = slice
      const key = keyOfDay(keys, `${projectId}|${dimension}|${day.getTime()}`, slice)
      for (const [grain, startsAt] of [
        ["hour", hour],
        ["day", day],
      ] as const) {
        const row = { projectId, dimension, grain, startsAt, key }
        raise(slices, `${projectId}|${dimension}|${grain}|${startsAt.getTime()}|${key}`, row, counter)
      }
    }
  }
  await addHours(client, [...hours.values()], [...topicHours.values()])
  await addSlices(client, [...slices.values()])
}

type Raised = { event: CountableEvent; counter: Counter; mail: Mail }

/** Each counter that these events raise, once per recipient over all rounds. */
async function raisedBy(client: Queryable, all: readonly CountableEvent[]): Promise<Raised[]> {
  const events = all.filter((event) => event.emailId && countersOf(event).length)
  if (!events.length) return []
  const counted = await countedBefore(client, events)
  const first = events.flatMap((event) =>
    countersOf(event)
      .filter((counter) => isFirst(counted, event, counter))
      .map((counter) => ({ event, counter })),
  )
  const named = first.map(({ event }) => event)
  const mails = await mailsOf(client, named)
  const deliveries = await deliveriesOf(client, named)
  const sent = first.flatMap(({ event, counter }) => (counter === "sent" ? [event] : []))
  const faults = await faultsOf(client, distinct(sent, "projectId"), distinct(sent, "emailId"))
  return first.flatMap(({ event, counter }) => {
    const { emailId, deliveryId, data } = event
    const delivery = deliveries.get(deliveryId ?? "")
    const mail = { ...(mails.get(emailId ?? "") ?? unknownMail), recipient: delivery?.recipient ?? data.to ?? null }
    const also = alsoRaised(counter, delivery?.attempts ?? 0, faults.get(emailId ?? "") ?? [])
    return [counter, ...also].map((one) => ({ event, mail, counter: one }))
  })
}

const unknownMail = { emailId: null, groupId: null, fromHeader: null, topicId: null, broadcastId: null, tags: null }

function isFirst(counted: Set<string>, event: CountableEvent, counter: Counter): boolean {
  const once = onceKey(event, counter)
  if (counted.has(once)) return false
  counted.add(once)
  return true
}

/** What is counted with the response of a server: the faults of the body, and whether it was deferred before. */
function alsoRaised(counter: Counter, attempts: number, faults: readonly Counter[]): readonly Counter[] {
  if (counter === "sent") return faults
  return counter === "delivered" && attempts > 1 ? ["deferred"] : []
}

/** The key of a slice on its day, or that of the rest when the day has enough keys. */
function keyOfDay(keys: Map<string, Set<string>>, place: string, slice: Slice): string {
  const known = keys.get(place) ?? new Set<string>()
  keys.set(place, known)
  if (!fits(slice, known)) return otherKey
  if (slice.key !== otherKey) known.add(slice.key)
  return slice.key
}

function raise<Row extends Counts>(rows: Map<string, Row>, key: string, of: Omit<Row, Counter>, counter: Counter) {
  const row = rows.get(key) ?? ({ ...noCounts(), ...of } as Row)
  rows.set(key, row)
  row[counter] += 1
}
