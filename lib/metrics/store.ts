import {
  counterOf,
  counters,
  countsOnce,
  endsHandOff,
  hourOf,
  type CountableEvent,
  type Counter,
  type Counts,
  type Granularity,
} from "@/lib/metrics/rules"
import { pool, type Queryable } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

/**
 * Counts dispatched events by project and hour, those of a topic's mail by topic too. Runs in the dispatcher's transaction, so that each event counts exactly
 * once; the dispatcher is the only writer.
 */
export async function rollUp(client: Queryable, events: readonly CountableEvent[]): Promise<void> {
  const answered = await answeredBefore(client, events)
  const before = await countedBefore(client, events)
  const topics = await topicsOf(client, events)
  const hours = new Map<string, Hour>()
  const topicHours = new Map<string, TopicHour>()
  const count = (event: CountableEvent, counter: Counter) => {
    const { project_id, email_id } = event
    const hour = hourOf(event.occurred_at)
    raise(hours, `${project_id}|${hour.getTime()}`, { project_id, hour }, counter)
    const topic_id = topics.get(email_id)
    if (topic_id) raise(topicHours, `${topic_id}|${hour.getTime()}`, { project_id, topic_id, hour }, counter)
  }
  for (const event of events) {
    const ended = endsHandOff(event) && !answered.has(event.delivery_id)
    if (ended && event.delivery_id) answered.add(event.delivery_id)
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
  if (hours.size) await addHours(client, [...hours.values()])
  if (topicHours.size) await addTopicHours(client, [...topicHours.values()])
}

type Hour = Counts & { project_id: string; hour: Date }
type TopicHour = Hour & { topic_id: string }

function raise<Row extends Counts>(rows: Map<string, Row>, key: string, of: Omit<Row, Counter>, counter: Counter) {
  const row = rows.get(key) ?? ({ ...noCounts(), ...of } as Row)
  rows.set(key, row)
  row[counter] += 1
}

/** The topics of those emails that have one. */
async function topicsOf(client: Queryable, events: readonly CountableEvent[]): Promise<Map<string | null, string>> {
  const countable = events.filter((event) => counterOf(event) !== null || endsHandOff(event))
  if (!countable.length) return new Map()
  const { rows } = await client.query<{ id: string; topic_id: string }>({
    name: "metrics.topics_of",
    text: "SELECT id, topic_id FROM emails WHERE project_id = ANY ($1) AND id = ANY ($2) AND topic_id IS NOT NULL",
    values: [distinct(countable, "project_id"), distinct(countable, "email_id")],
  })
  return new Map(rows.map(({ id, topic_id }) => [id, topic_id]))
}

/** Deliveries that a server had taken before they bounced or failed: they were counted as sent then. */
async function answeredBefore(client: Queryable, events: readonly CountableEvent[]): Promise<Set<string | null>> {
  const ended = events.flatMap((event) => (endsHandOff(event) && event.delivery_id ? [event.delivery_id] : []))
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
  const { rows } = await client.query<CountableEvent>(
    `SELECT DISTINCT project_id, email_id, delivery_id, type, data FROM events
      WHERE project_id = ANY ($1) AND email_id = ANY ($2) AND type = ANY ($3) AND seq < $4`,
    [distinct(once, "project_id"), distinct(once, "email_id"), distinct(once, "type"), String(first.seq)],
  )
  return new Set(
    rows.flatMap((event) => {
      const counter = counterOf(event)
      return counter ? [onceKey(event, counter)] : []
    }),
  )
}

function distinct(events: readonly CountableEvent[], column: "project_id" | "email_id" | "type"): string[] {
  return [...new Set(events.flatMap((event) => event[column] ?? []))]
}

function onceKey(event: Pick<CountableEvent, "email_id" | "delivery_id">, counter: Counter): string {
  return `${event.delivery_id ?? event.email_id}|${counter}`
}

/** Events of a project that is gone are counted nowhere. */
async function addHours(client: Queryable, rows: readonly Hour[]) {
  await client.query(
    `INSERT INTO metric_hours AS kept (project_id, hour, ${each((name) => name)})
      SELECT p.id, r.hour, ${each((name) => `r.${name}`)}
        FROM json_to_recordset($1) AS r(project_id uuid, hour timestamptz, ${each((name) => `${name} int`)})
        JOIN projects p ON p.id = r.project_id
      ON CONFLICT (project_id, hour) DO UPDATE SET ${each((name) => `${name} = kept.${name} + excluded.${name}`)}`,
    [JSON.stringify(rows)],
  )
}

/** Events of a topic that is gone are counted for its project alone. */
async function addTopicHours(client: Queryable, rows: readonly TopicHour[]) {
  await client.query(
    `INSERT INTO topic_hours AS kept (project_id, topic_id, hour, ${each((name) => name)})
      SELECT t.project_id, t.id, r.hour, ${each((name) => `r.${name}`)}
        FROM json_to_recordset($1) AS r(project_id uuid, topic_id uuid, hour timestamptz, ${each((name) => `${name} int`)})
        JOIN topics t ON t.project_id = r.project_id AND t.id = r.topic_id
      ON CONFLICT (project_id, topic_id, hour) DO UPDATE SET ${each((name) => `${name} = kept.${name} + excluded.${name}`)}`,
    [JSON.stringify(rows)],
  )
}

function each(write: (name: Counter) => string): string {
  return counters.map(write).join(", ")
}

/** The counts of a project from an hour up to an instant. Reads one row an hour, however many mails there were. */
export async function sumHours(scope: Scope, from: Date, to: Date): Promise<Counts> {
  const { rows } = await pool().query<Counts>({
    name: "metrics.sum_hours",
    text: `SELECT ${counters.map((name) => `coalesce(sum(${name}), 0)::int AS ${name}`).join(", ")}
      FROM metric_hours WHERE project_id = $1 AND hour >= $2 AND hour <= $3`,
    values: [scope.project.id, from, to],
  })
  return rows[0] ?? noCounts()
}

/** The same of one topic's mail. */
export async function sumTopicHours(scope: Scope, topicId: string, from: Date, to: Date): Promise<Counts> {
  const { rows } = await pool().query<Counts>({
    name: "metrics.sum_topic_hours",
    text: `SELECT ${each((name) => `coalesce(sum(${name}), 0)::int AS ${name}`)}
      FROM topic_hours WHERE project_id = $1 AND topic_id = $2 AND hour >= $3 AND hour <= $4`,
    values: [scope.project.id, topicId, from, to],
  })
  return rows[0] ?? noCounts()
}

/** The counts of a project by UTC hour or day, keyed by its first instant in milliseconds; what has none is absent. */
export async function countsByBucket(
  scope: Scope,
  from: Date,
  to: Date,
  granularity: Granularity,
): Promise<Map<number, Counts>> {
  const { rows } = await pool().query<Counts & { bucket: Date }>({
    name: "metrics.counts_by_bucket",
    text: `SELECT date_trunc($4, hour, 'UTC') AS bucket, ${counters.map((name) => `sum(${name})::int AS ${name}`).join(", ")}
      FROM metric_hours WHERE project_id = $1 AND hour >= $2 AND hour <= $3 GROUP BY 1`,
    values: [scope.project.id, from, to, granularity],
  })
  return new Map(rows.map(({ bucket, ...counts }) => [bucket.getTime(), counts]))
}

export function noCounts(): Counts {
  return Object.fromEntries(counters.map((name) => [name, 0])) as Counts
}
