import {
  type Breakdown,
  type Counter,
  counters,
  type Counts,
  type Granularity,
  noCounts,
  type Range,
  sumOf,
  wholeDaysOf,
} from "@/lib/metrics/rules"
import { pool } from "@/lib/platform/database/db"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { columnOf } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"
import { countWithinProject } from "@/lib/projects/data"
import { countAcceptedEmails } from "@/lib/projects/quota/data"
import { audienceCounts } from "@/lib/segments/data"

/** How many there are of each thing in a project. Emails and contacts are read from their counters; null when there is no such project. */
export async function countsOf(scope: Scope) {
  const [emails, { contacts }, counted, domains, webhooks] = await Promise.all([
    countAcceptedEmails(scope),
    audienceCounts(scope.project.id),
    countWithinProject(scope.project.id),
    domainCounts(scope),
    webhookCounts(scope),
  ])
  if (!counted) return null
  return {
    ...{ emails, contacts, ...counted },
    ...{ domains: domains.all, webhooks: webhooks.all },
    attention: { domains: domains.attention, webhooks: webhooks.attention },
  }
}

async function domainCounts(scope: Scope) {
  const byStatus = await db(scope).domain.groupBy({ by: ["status"], _count: true })
  const of = (status: string) => byStatus.find((group) => group.status === status)?._count ?? 0
  const all = byStatus.reduce((sum, { _count }) => sum + _count, 0)
  return { all, attention: { degraded: of("degraded"), failed: of("failed") } }
}

async function webhookCounts(scope: Scope) {
  const byReason = await db(scope).webhook.groupBy({
    by: ["disabledReason"],
    where: { deletedAt: null },
    _count: { _all: true, failingSince: true },
  })
  const of = (reason: string | null) => byReason.find((group) => group.disabledReason === reason)?._count
  const all = byReason.reduce((sum, { _count }) => sum + _count._all, 0)
  const stopped = (of("gone")?._all ?? 0) + (of("failing")?._all ?? 0)
  return { all, attention: { failing: of(null)?.failingSince ?? 0, stopped } }
}

export const everyCounter = {
  ...{ sent: true, delivered: true, bounced: true, complained: true, opened: true, clicked: true, unsubscribed: true },
  ...{ failed: true, delayed: true, readEngaged: true, machineOpens: true, deferred: true, anyOpens: true },
  ...{ refusedOurs: true, htmlOnly: true, clipped: true, unreported: true, pending: true },
} as const satisfies Record<Counter, true>

/** The counts of one topic's mail in a range. Reads one row an hour, however many emails there were. */
export async function sumTopicHours(scope: Scope, topicId: string, { from, to }: Range): Promise<Counts> {
  const where = { topicId, hour: { gte: from, lt: to } }
  const { _sum: sums } = await db(scope).topicHour.aggregate({ where, _sum: everyCounter })
  return toCounts(sums)
}

/** A sum over no rows is null. */
export function toCounts(sums: Record<Counter, number | null>): Counts {
  const counts = noCounts()
  for (const [name, sum] of Object.entries(sums) as [Counter, number | null][]) counts[name] = sum ?? 0
  return counts
}

/** An email as far as its performance shows it; null where the project has none of this id. */
export async function findEmailHead(scope: Scope, id: string) {
  const select = { subject: true, fromHeader: true, status: true, topicId: true, sentAt: true } as const
  return db(scope).email.findUnique({ where: { id }, select })
}

/** What happened to an email, by type of event: how often people caused it and nobody took it back, and the last time that anything did. */
export type Happened = { counts: ReadonlyMap<string, number>; lastAt: Date | null }

export async function countEvents(scope: Scope, emailId: string): Promise<Happened> {
  const [all, machines, takenBack] = await Promise.all([
    db(scope).event.groupBy({
      by: ["type"],
      where: { emailId },
      _count: { _all: true },
      _max: { occurredAt: true },
    }),
    // Counted apart and subtracted, because a JSON filter with NOT leaves out the events without the field.
    db(scope).event.groupBy({
      by: ["type"],
      where: { emailId, data: { path: ["machine"], equals: "true" } },
      _count: { _all: true },
    }),
    // Each of these takes back one bounce.
    db(scope).event.count({ where: { emailId, data: { path: ["reason"], equals: "bounce_taken_back" } } }),
  ])
  const uncounted = new Map([
    ["bounced", takenBack],
    ...machines.map(({ type, _count }) => [type, _count._all] as const),
  ])
  const times = all.flatMap(({ _max }) => _max.occurredAt ?? [])
  return {
    counts: new Map(all.map(({ type, _count }) => [type, _count._all - (uncounted.get(type) ?? 0)])),
    lastAt: times.length ? new Date(Math.max(...times.map(Number))) : null,
  }
}

// On `pg`, because Prisma groups by columns alone, and not by the day of an hour, a range of hours or the rank of a sum.

const sums = counters.map((name) => `sum(${columnOf(name)})::int AS "${name}"`).join(", ")

/** The counts of a project in each of these ranges, in their order: one row an hour is read, however many emails there were. */
export async function sumRanges<const Ranges extends readonly Range[]>(
  scope: Scope,
  ranges: Ranges,
): Promise<{ [At in keyof Ranges]: Counts }> {
  const { rows } = await pool().query<Record<keyof Counts, number | null>>({
    name: "metrics.sum_ranges",
    text: `SELECT ${sums} FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS range ("from", "to", at)
      LEFT JOIN metric_hours h ON h.project_id = $1 AND h.hour >= range."from" AND h.hour < range."to"
      GROUP BY range.at ORDER BY range.at`,
    values: [scope.project.id, ranges.map(({ from }) => from), ranges.map(({ to }) => to)],
  })
  return rows.map(toCounts) as { [At in keyof Ranges]: Counts }
}

type Rows = {
  /** Of the prepared statement, without the granularity. */
  name: string
  /** When a row begins. */
  column: string
  from: string
  values: unknown[]
}

/** Counts by UTC hour or day, keyed by its first instant in milliseconds; what has none is absent. `from` names the project. */
async function sumsByBucket(
  { name, column, from, values }: Rows,
  granularity: Granularity,
): Promise<Map<number, Counts>> {
  const { rows } = await pool().query<Counts & { bucket: Date }>({
    name: `${name}_by_${granularity}`,
    text: `SELECT date_trunc('${granularity}', ${column}, 'UTC') AS bucket, ${sums} FROM ${from} GROUP BY 1`,
    values,
  })
  return new Map(rows.map(({ bucket, ...counts }) => [bucket.getTime(), counts]))
}

/** The counts of a project. */
export function countsByBucket(
  scope: Scope,
  { from, to }: Range,
  granularity: Granularity,
): Promise<Map<number, Counts>> {
  const ofProject = "metric_hours WHERE project_id = $1 AND hour >= $2 AND hour < $3"
  const values = [scope.project.id, from, to]
  return sumsByBucket({ name: "metrics.counts", column: "hour", from: ofProject, values }, granularity)
}

const sumsOfSums = counters.map((name) => `sum("${name}")::int AS "${name}"`).join(", ")

export type Slice = { by: Breakdown | "broadcast"; key: string }

/**
 * Rows of one dimension in a range, each moment once: whole days by day, what remains at both ends by hour. A range of any
 * length so reads as few rows as a day has keys, times its days. $1 to $6 are the values of `inRange`.
 */
const rangeOfSlices = `project_id = $1 AND dimension = $2 AND (
  (grain = 'day' AND starts_at >= $5 AND starts_at < $6)
  OR (grain = 'hour' AND starts_at >= $3 AND starts_at < least($4, $5))
  OR (grain = 'hour' AND starts_at >= greatest($3, $6) AND starts_at < $4))`

function inRange(scope: InProject, by: string, range: Range): unknown[] {
  const days = wholeDaysOf(range)
  return [scope.project.id, by, range.from, range.to, days.from, days.to]
}

/** The same of one sending domain, provider, topic, tag or broadcast. */
export function countsOfSliceByBucket(
  scope: Scope,
  { by, key }: Slice,
  range: Range,
  granularity: Granularity,
): Promise<Map<number, Counts>> {
  const from = `metric_slices WHERE ${granularity === "day" ? rangeOfSlices : hoursOfSlices} AND key = $7`
  const values = [...inRange(scope, by, range), key]
  return sumsByBucket({ name: "metrics.counts_of_slice", column: "starts_at", from, values }, granularity)
}

const hoursOfSlices = `project_id = $1 AND dimension = $2 AND grain = 'hour' AND starts_at >= $3 AND starts_at < $4
  AND $5::timestamptz IS NOT NULL AND $6::timestamptz IS NOT NULL`

export async function sumSlice(scope: Scope, slice: Slice, range: Range): Promise<Counts> {
  const days = await countsOfSliceByBucket(scope, slice, range, "day")
  return sumOf([...days.values()])
}

/** `key` is null for the sum of what has no row of its own, of which there are `keys`. */
export type SliceSum = Counts & { key: string | null; keys: number }

/** The keys with the most mail in a range, and one row for the rest; only `among` these keys, if given. */
export async function sumSlices(
  scope: InProject,
  by: string,
  range: Range,
  { top, among }: { top: number; among?: readonly string[] },
): Promise<SliceSum[]> {
  const { rows } = await pool().query<SliceSum>({
    name: "metrics.sum_slices",
    text: `WITH keyed AS (
        SELECT key, ${sums} FROM metric_slices WHERE ${rangeOfSlices} GROUP BY key
      ), ranked AS (
        SELECT *, row_number() OVER (ORDER BY key = '', sent DESC, "refusedOurs" DESC, opened DESC, key) AS rank FROM keyed
      ), named AS (
        SELECT *, CASE WHEN key <> '' AND CASE WHEN $8::text[] IS NULL THEN rank <= $7 ELSE key = ANY ($8) END THEN key END AS name
          FROM ranked
      )
      SELECT name AS key, count(*) FILTER (WHERE key <> '')::int AS keys, ${sumsOfSums}
        FROM named GROUP BY name ORDER BY name IS NULL, sum(sent) DESC, name`,
    values: [...inRange(scope, by, range), top, among ?? null],
  })
  return rows
}
