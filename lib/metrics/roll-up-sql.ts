import {
  counterOf,
  counters,
  countsOnce,
  endsDelivery,
  hourOf,
  noCounts,
  type CountableEvent,
  type Counter,
  type Counts,
} from "@/lib/metrics/rules"
import type { Queryable } from "@/lib/platform/database/db"
import { columnOf } from "@/lib/platform/database/shape"

/**
 * Counts dispatched events by project and hour, those of a topic's mail by topic too. On `pg`, in the dispatcher's
 * transaction, so that each event counts exactly once; the dispatcher is the only writer.
 */
export async function rollUp(client: Queryable, events: readonly CountableEvent[]): Promise<void> {
  const answered = await answeredBefore(client, events)
  const before = await countedBefore(client, events)
  const topics = await topicsOf(client, events)
  const hours = new Map<string, Hour>()
  const topicHours = new Map<string, TopicHour>()
  const count = (event: CountableEvent, counter: Counter) => {
    const { projectId, emailId } = event
    const hour = hourOf(event.occurredAt)
    raise(hours, `${projectId}|${hour.getTime()}`, { projectId, hour }, counter)
    const topicId = topics.get(emailId)
    if (topicId) raise(topicHours, `${topicId}|${hour.getTime()}`, { projectId, topicId, hour }, counter)
  }
  for (const event of events) {
    const ended = endsDelivery(event) && !answered.has(event.deliveryId)
    if (ended && event.deliveryId) answered.add(event.deliveryId)
    if (ended) count(event, "sent")
    const counter = counterOf(event)
    if (!counter) continue
    if (countsOnce(counter)) {
      const once = onceKey(event, counter)
      if (before.has(once)) continue
      before.add(once)
    }
    count(event, counter)
  }
  if (hours.size) await addHours(client, [...hours.values()], [...topicHours.values()])
}

type Hour = Counts & { projectId: string; hour: Date }
type TopicHour = Hour & { topicId: string }

function raise<Row extends Counts>(rows: Map<string, Row>, key: string, of: Omit<Row, Counter>, counter: Counter) {
  const row = rows.get(key) ?? ({ ...noCounts(), ...of } as Row)
  rows.set(key, row)
  row[counter] += 1
}

/** The topics of those emails that have one. */
async function topicsOf(client: Queryable, events: readonly CountableEvent[]): Promise<Map<string | null, string>> {
  const countable = events.filter((event) => counterOf(event) !== null || endsDelivery(event))
  if (!countable.length) return new Map()
  const { rows } = await client.query<{ id: string; topicId: string }>({
    name: "metrics.topics_of",
    text: 'SELECT id, topic_id AS "topicId" FROM emails WHERE project_id = ANY ($1) AND id = ANY ($2) AND topic_id IS NOT NULL',
    values: [distinct(countable, "projectId"), distinct(countable, "emailId")],
  })
  return new Map(rows.map(({ id, topicId }) => [id, topicId]))
}

/** Deliveries, of all projects, that a server had taken before they bounced or failed: they were counted as sent then. */
async function answeredBefore(client: Queryable, events: readonly CountableEvent[]): Promise<Set<string | null>> {
  const ended = events.flatMap((event) => (endsDelivery(event) && event.deliveryId ? [event.deliveryId] : []))
  if (!ended.length) return new Set()
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM deliveries WHERE id = ANY ($1) AND sent_at IS NOT NULL",
    [ended],
  )
  return new Set(rows.map(({ id }) => id))
}

/** What earlier rounds have counted of the things that count once a recipient. */
async function countedBefore(client: Queryable, events: readonly CountableEvent[]): Promise<Set<string>> {
  const once = events.filter((event) => {
    const counter = counterOf(event)
    return counter !== null && countsOnce(counter)
  })
  const [first] = events
  if (!once.length || !first) return new Set()
  const { rows } = await client.query<Pick<CountableEvent, "emailId" | "deliveryId" | "type" | "data">>(
    `SELECT DISTINCT email_id AS "emailId", delivery_id AS "deliveryId", type, data FROM events
      WHERE project_id = ANY ($1) AND email_id = ANY ($2) AND type = ANY ($3) AND seq < $4`,
    [distinct(once, "projectId"), distinct(once, "emailId"), distinct(once, "type"), String(first.seq)],
  )
  return new Set(
    rows.flatMap((event) => {
      const counter = counterOf(event)
      return counter ? [onceKey(event, counter)] : []
    }),
  )
}

function distinct(events: readonly CountableEvent[], field: "projectId" | "emailId" | "type"): string[] {
  return [...new Set(events.flatMap((event) => event[field] ?? []))]
}

function onceKey(event: Pick<CountableEvent, "emailId" | "deliveryId">, counter: Counter): string {
  return `${event.deliveryId ?? event.emailId}|${counter}`
}

/** Events of a project that was deleted are counted nowhere, those of a topic that was deleted for its project alone. */
async function addHours(client: Queryable, hours: readonly Hour[], topicHours: readonly TopicHour[]) {
  await client.query({
    name: "metrics.add_hours",
    text: `WITH topic AS (
        INSERT INTO topic_hours AS h (project_id, topic_id, hour, ${each(columnOf)})
          SELECT t.project_id, t.id, r.hour, ${each((name) => `r."${name}"`)}
            FROM json_to_recordset($2) AS r("projectId" uuid, "topicId" uuid, hour timestamptz, ${each((name) => `"${name}" int`)})
            JOIN topics t ON t.project_id = r."projectId" AND t.id = r."topicId"
          ON CONFLICT (project_id, topic_id, hour) DO UPDATE SET ${each(raised)}
      )
      INSERT INTO metric_hours AS h (project_id, hour, ${each(columnOf)})
        SELECT p.id, r.hour, ${each((name) => `r."${name}"`)}
          FROM json_to_recordset($1) AS r("projectId" uuid, hour timestamptz, ${each((name) => `"${name}" int`)})
          JOIN projects p ON p.id = r."projectId"
        ON CONFLICT (project_id, hour) DO UPDATE SET ${each(raised)}`,
    values: [JSON.stringify(hours), JSON.stringify(topicHours)],
  })
}

function each(write: (name: Counter) => string): string {
  return counters.map(write).join(", ")
}

function raised(name: Counter): string {
  return `${columnOf(name)} = h.${columnOf(name)} + excluded.${columnOf(name)}`
}
