import { presentBody } from "@/lib/emails/message-rules"
import {
  type CountableEvent,
  countableTypes,
  type CountedMail,
  type Counter,
  counters,
  countersOf,
  type Counts,
  dayOf,
  type Dimension,
  dimensions,
  evidenceOf,
  fits,
  type Granularity,
  hourOf,
  newsOf,
  noCounts,
  otherKey,
  type DimensionSlice,
  slicesOf,
} from "@/lib/metrics/rules"
import { type Change, fatesOf, movesOf, type FateNews, recipientKey } from "@/lib/metrics/roll-up/fates"
import type { Queryable } from "@/lib/platform/database/db"
import { columnOf } from "@/lib/platform/database/shape"
import { firstIdAt, idTime } from "@/lib/platform/ids"
import { dayMs } from "@/lib/platform/time"

/**
 * Counts dispatched events by project and hour, those of a topic's mail by topic too, and by hour and day what mail can be
 * broken down by.
 */
export async function rollUp(client: Queryable, events: readonly CountableEvent[]): Promise<void> {
  const raised = await raisedBy(client, events)
  if (!raised.length) return
  const topicHours = new Map<string, TopicHourRow>()
  const keys = await keysOfDays(
    client,
    raised.map(({ event, at }) => ({ projectId: event.projectId, day: dayOf(at) })),
  )
  const hours = new Map<string, HourOfProject>()
  for (const { event, counter, mail, slices, at, by } of raised) {
    const hour = hourOfProject(hours, keys, event.projectId, at)
    const { projectId, startsAt } = hour
    hour.counts[counter] += by
    const { topicId } = mail
    if (topicId)
      raise(topicHours, `${topicId}|${startsAt.getTime()}`, { projectId, topicId, hour: startsAt }, counter, by)
    const evidence = by > 0 ? evidenceOf(counter, mail, event.data.bounceCode) : null
    for (const slice of evidence ? [...slices, evidence] : slices) {
      const key = keyOfDay(hour.keys, slice)
      const { dimension } = slice
      const row = { projectId, dimension, grain: "hour" as const, startsAt, key }
      raise(hour.slices, `${dimension}|${key}`, row, counter, by)
    }
  }
  const ofHours = [...hours.values()]
  const ofProjects = ofHours.map(({ projectId, startsAt, counts }) => ({ ...counts, projectId, hour: startsAt }))
  await addHours(client, ofProjects, [...topicHours.values()])
  const slices = ofHours.flatMap((hour) => [...hour.slices.values()])
  await addSlices(client, [...slices, ...daysOf(slices)])
}

/** What is counted of a project in an hour. */
type HourOfProject = {
  projectId: string
  startsAt: Date
  counts: Counts
  /** By dimension and key. */
  slices: Map<string, SliceRow>
  keys: KeysOfDay
}

type KeysOfDay = Map<Dimension, Set<string>>

function hourOfProject(
  hours: Map<string, HourOfProject>,
  keysOfDays: Map<string, KeysOfDay>,
  projectId: string,
  at: Date,
): HourOfProject {
  const startsAt = hourOf(at)
  const name = `${projectId}|${startsAt.getTime()}`
  const known = hours.get(name)
  if (known) return known
  const keys = entry(keysOfDays, `${projectId}|${dayOf(at).getTime()}`, () => new Map())
  const hour = { projectId, startsAt, counts: noCounts(), slices: new Map(), keys }
  hours.set(name, hour)
  return hour
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

/** The rows of days: the sums of those of their hours. */
function daysOf(hours: readonly SliceRow[]): SliceRow[] {
  const days = new Map<string, SliceRow>()
  for (const hour of hours) {
    const startsAt = dayOf(hour.startsAt)
    const name = `${hour.projectId}|${hour.dimension}|${startsAt.getTime()}|${hour.key}`
    const day = days.get(name)
    if (day) for (const counter of counters) day[counter] += hour[counter]
    else days.set(name, { ...hour, grain: "day", startsAt })
  }
  return [...days.values()]
}

type Raised = Change & { mail: CountedMail; slices: readonly DimensionSlice[] }

/** Each counter that these events raise, once per recipient over all rounds, and those that news of a fate moves. */
async function raisedBy(client: Queryable, all: readonly CountableEvent[]): Promise<Raised[]> {
  const events = all.filter((event) => event.emailId && (countersOf(event).length || newsOf(event)))
  if (!events.length) return []
  const earlier = await eventsBefore(client, events)
  const counted = new Set(earlier.flatMap((event) => countersOf(event).map((counter) => onceKey(event, counter))))
  const changes: Change[] = [
    ...events.flatMap((event) =>
      countersOf(event)
        .filter((counter) => isFirst(counted, event, counter))
        .map((counter) => ({ event, counter, at: event.occurredAt, by: 1 as const })),
    ),
    ...movesOf(fatesOf(earlier), events),
  ]
  const named = changes.map(({ event }) => event)
  const mails = await mailsOf(client, named)
  const deliveries = await deliveriesOf(client, named)
  const sent = changes.flatMap(({ event, counter }) => (counter === "sent" ? [event] : []))
  const faults = await faultsOf(client, distinct(sent, "projectId"), distinct(sent, "emailId"))
  const ofEvents = new Map<CountableEvent, Pick<Raised, "mail" | "slices">>()
  return changes.flatMap((change) => {
    const { emailId, deliveryId, data } = change.event
    const delivery = deliveries.get(deliveryId ?? "")
    let known = ofEvents.get(change.event)
    if (!known) {
      const mail = { ...(mails.get(emailId ?? "") ?? unknownMail), recipient: delivery?.recipient ?? data.to ?? null }
      known = { mail, slices: slicesOf(mail) }
      ofEvents.set(change.event, known)
    }
    const { mail, slices } = known
    const also = alsoRaised(change.counter, delivery?.attempts ?? 0, faults.get(emailId ?? "") ?? [])
    return [change.counter, ...also].map((counter) => ({ ...change, mail, slices, counter }))
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
function keyOfDay(keys: KeysOfDay, slice: DimensionSlice): string {
  const known = entry(keys, slice.dimension, () => new Set())
  if (!fits(slice, known)) return otherKey
  if (slice.key !== otherKey) known.add(slice.key)
  return slice.key
}

function raise<Row extends Counts>(
  rows: Map<string, Row>,
  key: string,
  of: Omit<Row, Counter>,
  counter: Counter,
  by: number,
) {
  let row = rows.get(key)
  if (!row) rows.set(key, (row = { ...noCounts(), ...of } as Row))
  row[counter] += by
}

// On `pg`, for all projects, in the dispatcher's transaction.

type HourRow = Counts & { projectId: string; hour: Date }
type TopicHourRow = HourRow & { topicId: string }
type SliceRow = Counts & {
  projectId: string
  dimension: Dimension
  grain: Granularity
  startsAt: Date
  key: string
}

/** Events of a project that was deleted are counted nowhere, those of a topic that was deleted for its project alone. */
async function addHours(
  client: Queryable,
  hours: readonly HourRow[],
  topicHours: readonly TopicHourRow[],
): Promise<void> {
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

async function addSlices(client: Queryable, slices: readonly SliceRow[]): Promise<void> {
  await client.query({
    name: "metrics.add_slices",
    text: `INSERT INTO metric_slices AS h (project_id, dimension, grain, starts_at, key, ${each(columnOf)})
        SELECT p.id, r.dimension, r.grain, r."startsAt", r.key, ${each((name) => `r."${name}"`)}
          FROM json_to_recordset($1) AS r("projectId" uuid, dimension text, grain text, "startsAt" timestamptz, key text,
            ${each((name) => `"${name}" int`)})
          JOIN projects p ON p.id = r."projectId"
        ON CONFLICT (project_id, dimension, grain, starts_at, key) DO UPDATE SET ${each(raised)}`,
    values: [JSON.stringify(slices)],
  })
}

/** The keys that days have already, by `project|day`. */
async function keysOfDays(
  client: Queryable,
  days: readonly { projectId: string; day: Date }[],
): Promise<Map<string, KeysOfDay>> {
  const { rows } = await client.query<{ projectId: string; dimension: Dimension; day: Date; key: string }>({
    name: "metrics.keys_of_days",
    text: `SELECT project_id AS "projectId", dimension, starts_at AS day, key FROM metric_slices
      WHERE project_id = ANY ($1) AND dimension = ANY ($4) AND grain = 'day' AND starts_at = ANY ($2) AND key <> $3`,
    values: [
      [...new Set(days.map(({ projectId }) => projectId))],
      [...new Set(days.map(({ day }) => day.toISOString()))],
      otherKey,
      dimensions,
    ],
  })
  const keys = new Map<string, KeysOfDay>()
  for (const { projectId, dimension, day, key } of rows) {
    const ofDay = entry(keys, `${projectId}|${day.getTime()}`, () => new Map())
    entry(ofDay, dimension, () => new Set()).add(key)
  }
  return keys
}

function each(write: (name: Counter) => string): string {
  return counters.map(write).join(", ")
}

function raised(name: Counter): string {
  return `${columnOf(name)} = h.${columnOf(name)} + excluded.${columnOf(name)}`
}

// On `pg`, for events of all projects, because the dispatcher reads this in its transaction.

export type DeliveryFacts = { recipient: string; attempts: number }

/** Emails of these events, by id. */
async function mailsOf(
  client: Queryable,
  events: readonly CountableEvent[],
): Promise<Map<string, Omit<CountedMail, "recipient">>> {
  const { rows } = await client.query<Omit<CountedMail, "recipient"> & { emailId: string }>({
    name: "metrics.mails_of",
    text: `SELECT id AS "emailId", group_id AS "groupId", topic_id AS "topicId", broadcast_id AS "broadcastId", from_header AS "fromHeader", tags
      FROM emails WHERE project_id = ANY ($1) AND id = ANY ($2)`,
    values: [distinct(events, "projectId"), distinct(events, "emailId")],
  })
  return new Map(rows.map((row) => [row.emailId, row]))
}

/** The recipients of these events' deliveries, and how many attempts each took so far. */
async function deliveriesOf(client: Queryable, events: readonly CountableEvent[]): Promise<Map<string, DeliveryFacts>> {
  const ids = distinct(events, "deliveryId")
  if (!ids.length) return new Map()
  const { rows } = await client.query<DeliveryFacts & { id: string }>({
    name: "metrics.deliveries_of",
    text: `SELECT id, canonical AS recipient, attempt_count AS attempts FROM deliveries
      WHERE project_id = ANY ($1) AND id = ANY ($2)`,
    values: [distinct(events, "projectId"), ids],
  })
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** Octets of HTML above which Gmail cuts a message off, and with it the link to unsubscribe. */
export const clippedAboveBytes = 102 * 1024

/** A body without content is stored only by earlier releases, and is short: those alone are read. */
const shortBytes = 64

/** What is wrong with the bodies of emails, by id. The sizes are read from the row, without the bodies themselves. */
async function faultsOf(
  client: Queryable,
  projectIds: readonly string[],
  emailIds: readonly string[],
): Promise<Map<string, Counter[]>> {
  if (!emailIds.length) return new Map()
  type Bodies = { id: string; clipped: boolean; noText: boolean; shortHtml: string | null; shortText: string | null }
  const { rows } = await client.query<Bodies>({
    name: "metrics.faults_of",
    text: `SELECT e.id, octet_length(b.html) > ${clippedAboveBytes} AS clipped, b.text IS NULL AS "noText",
        CASE WHEN octet_length(b.html) <= ${shortBytes} THEN b.html END AS "shortHtml",
        CASE WHEN octet_length(b.text) <= ${shortBytes} THEN b.text END AS "shortText"
      FROM emails e CROSS JOIN LATERAL (
        SELECT coalesce(own.html, first.html, shared.html) AS html, coalesce(own.text, first.text, shared.text) AS text
          FROM email_bodies own
          LEFT JOIN email_bodies first ON first.project_id = own.project_id
            AND first.email_id = CASE WHEN own.html IS NULL AND own.text IS NULL THEN e.group_id END
          LEFT JOIN email_contents shared ON shared.project_id = own.project_id
            AND shared.id = CASE WHEN own.html IS NULL AND own.text IS NULL THEN e.group_id END
          WHERE own.project_id = e.project_id AND own.email_id = e.id) b
      WHERE e.project_id = ANY ($1) AND e.id = ANY ($2) AND b.html IS NOT NULL
        AND (b.text IS NULL OR octet_length(b.text) <= ${shortBytes} OR octet_length(b.html) > ${clippedAboveBytes})`,
    values: [projectIds, emailIds],
  })
  return new Map(
    rows.flatMap(({ id, clipped, noText, shortHtml, shortText }) => {
      const isEmpty = (short: string | null) => short !== null && presentBody(short) === undefined
      const htmlOnly = !isEmpty(shortHtml) && (noText || isEmpty(shortText))
      const faults = [...(htmlOnly ? ["htmlOnly" as const] : []), ...(clipped ? ["clipped" as const] : [])]
      return faults.length ? [[id, faults]] : []
    }),
  )
}

/**
 * What earlier rounds have counted of the same recipients, in its order: an event that comes twice counts once. Of equal
 * opens, clicks and delays, of which there may be thousands, the first stands for all; the fate needs every event.
 */
export async function eventsBefore(client: Queryable, events: readonly CountableEvent[]): Promise<FateNews[]> {
  if (!events.length) return []
  // Numbers rise within a project.
  const firsts = new Map(events.toReversed().map(({ projectId, seq }) => [projectId, seq]))
  const projects = new Map(events.flatMap(({ emailId, projectId }) => (emailId ? [[emailId, projectId] as const] : [])))
  const emailIds = [...projects.keys()]
  const { rows } = await client.query<FateNews>({
    name: "metrics.events_before",
    // OFFSET 0 and + 0: without statistics a plan would read all events of the project, by their ids or their numbers.
    text: `SELECT e.email_id AS "emailId", e.delivery_id AS "deliveryId", e.type, e.data,
        (array_agg(e.occurred_at ORDER BY e.seq))[1] AS "occurredAt"
      FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS mail(project_id, id, first_seq), LATERAL (
        SELECT email_id, delivery_id, type, seq, occurred_at,
            jsonb_strip_nulls(jsonb_build_object('simulator', data -> 'simulator', 'machine', data -> 'machine',
              'bounceType', data -> 'bounceType', 'deliveryReported', data -> 'deliveryReported',
              'reason', CASE WHEN data ->> 'reason' = 'bounce_taken_back' THEN data -> 'reason' END)) AS data FROM events
          WHERE project_id = mail.project_id AND email_id = mail.id AND type = ANY ($5) AND seq + 0 < mail.first_seq AND id >= $4
          OFFSET 0) e
      GROUP BY 1, 2, 3, 4, CASE WHEN type = ANY ('{sent,delivered,failed,bounced}') OR data ? 'reason' THEN e.seq END
      ORDER BY min(e.seq)`,
    // Events are younger than their email: older partitions need no search. A day is for clocks that differ.
    values: [
      [...projects.values()],
      emailIds,
      [...projects.values()].map((id) => String(firsts.get(id))),
      firstIdAt(new Date(oldestOf(emailIds) - dayMs)),
      countableTypes,
    ],
  })
  return rows
}

function onceKey(event: Pick<CountableEvent, "emailId" | "deliveryId">, counter: Counter): string {
  return `${recipientKey(event)}|${counter}`
}

function distinct(events: readonly CountableEvent[], field: "projectId" | "emailId" | "deliveryId"): string[] {
  return [...new Set(events.flatMap((event) => event[field] ?? []))]
}

/** The time inside the oldest of these UUIDv7 in milliseconds. */
function oldestOf(ids: readonly string[]): number {
  return Math.min(...ids.map(idTime))
}
