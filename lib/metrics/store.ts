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
import { pool, type Queryable } from "@/lib/platform/db"
import type { Scope } from "@/lib/platform/scope"

/**
 * Counts dispatched events by project and hour. Runs in the dispatcher's transaction, so that each event counts exactly
 * once; the dispatcher is the only writer.
 */
export async function rollUp(client: Queryable, events: readonly CountableEvent[]): Promise<void> {
  const answered = await answeredBefore(client, events)
  const before = await countedBefore(client, events)
  const hours = new Map<string, Counts & { project_id: string; hour: Date }>()
  const count = (event: CountableEvent, counter: Counter) => {
    const hour = hourOf(event.occurred_at)
    const key = `${event.project_id}|${hour.getTime()}`
    const row = hours.get(key) ?? { ...noCounts(), project_id: event.project_id, hour }
    hours.set(key, row)
    row[counter] += 1
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
async function addHours(client: Queryable, rows: readonly (Counts & { project_id: string; hour: Date })[]) {
  const each = (write: (name: Counter) => string) => counters.map(write).join(", ")
  await client.query(
    `INSERT INTO metric_hours AS kept (project_id, hour, ${each((name) => name)})
      SELECT p.id, r.hour, ${each((name) => `r.${name}`)}
        FROM json_to_recordset($1) AS r(project_id uuid, hour timestamptz, ${each((name) => `${name} int`)})
        JOIN projects p ON p.id = r.project_id
      ON CONFLICT (project_id, hour) DO UPDATE SET ${each((name) => `${name} = kept.${name} + excluded.${name}`)}`,
    [JSON.stringify(rows)],
  )
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

/** The counts of a project by UTC hour or day, keyed by its first instant in milliseconds; what has none is absent. */
export async function countsByBucket(scope: Scope, from: Date, to: Date, granularity: Granularity): Promise<Map<number, Counts>> {
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
