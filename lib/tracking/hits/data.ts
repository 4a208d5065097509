import { advance, lockRead } from "@/lib/delivery/queue/feedback/data"
import { isSimulated } from "@/lib/emails/simulator"
import { addPastEvents } from "@/lib/emails/data"
import { pool, type Queryable, transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import {
  type Case,
  type EmailEngagement,
  type Hit,
  type Judged,
  judgeHit,
  mustWait,
  nearMs,
} from "@/lib/tracking/hits/rules"

// On `pg`: every open and click of all projects ends here.

/** A request as a web process noted it; `ageMs` before now. */
export type NewHit = Omit<Hit, "at"> & {
  deliveryId: string
  /** The sending domain's own host under which it came; null for any other name. */
  host: string | null
  ageMs: number
  waitMs: number
}

/**
 * Adds requests, of all projects: a token names a delivery alone. One that came under a host that is not its email's, or for
 * a suspended project, is left out.
 */
export async function addHits(hits: readonly NewHit[]): Promise<void> {
  await pool().query({
    name: "tracking.add_hits",
    text: `INSERT INTO tracking_hits (id, project_id, email_id, delivery_id, kind, number, client, user_agent, head, held_ms,
        at, due_at)
      SELECT h.id, d.project_id, d.email_id, d.id, h.kind, h.number, h.client, h."userAgent", h.head, h."heldMs",
          now() - make_interval(secs => h."ageMs" / 1000.0), now() + make_interval(secs => greatest(0, h."waitMs" - h."ageMs") / 1000.0)
        FROM json_to_recordset($1) AS h(id uuid, "deliveryId" uuid, kind text, number int, client text, "userAgent" text,
          head boolean, "heldMs" int, host text, "ageMs" int, "waitMs" int)
        JOIN deliveries d ON d.id = h."deliveryId"
        JOIN tracked_emails t ON t.project_id = d.project_id AND t.email_id = d.email_id
        JOIN projects p ON p.id = d.project_id AND p.suspended_at IS NULL AND p.deleted_at IS NULL
        WHERE h.host IS NULL OR h.host = t.host
      ON CONFLICT (id) DO NOTHING`,
    values: [JSON.stringify(hits)],
  })
}

// On `pg`, because one worker judges the requests of all projects, skips rows that another has locked, and writes sets.

type HitRow = Hit & { deliveryId: string; isJudged: boolean; now: Date }
type Known = Pick<Case, "delivery" | "attemptedAt" | "engagement" | "urls">

/** Waits this long before it is judged again. */
const postponeSeconds = 5

/**
 * Judges up to `limit` requests that are due, of all projects, in one transaction: events, statuses, readings and opening hours.
 * @returns how many were due
 */
export async function judgeDue(limit: number): Promise<number> {
  return transaction(async (client) => {
    const due = await hits(client, {
      name: "tracking.due_hits",
      from: "tracking_hits WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED",
      values: [limit],
    })
    if (!due.length) return 0
    const known = await lockKnown(client, due)
    const around = await hitsAround(client, [...known.values()], due)
    const waits = (hit: HitRow) => {
      const one = known.get(hit.deliveryId)
      return one !== undefined && mustWait(one.delivery, hit, hit.now)
    }
    const ready = due.filter((hit) => !waits(hit))
    const judged = [...known.values()].flatMap((one) => {
      const mine = (hit: HitRow) => hit.deliveryId === one.delivery.id
      const its = ready.filter(mine)
      return its.length ? [{ ...one, ...judgeHit({ ...one, due: its, around: around.filter(mine) }) }] : []
    })
    await write(client, judged)
    await settle(client, idsOf(ready), idsOf(due.filter(waits)))
    return due.length
  })
}

type Outcome = Judged & Known

function idsOf(hits: readonly Hit[]): string[] {
  return hits.map(({ id }) => id)
}

/** The emails that these requests are for, by their deliveries, with what is known of their reading, each locked. */
async function lockKnown(client: Queryable, due: readonly HitRow[]): Promise<Map<string, Known>> {
  const deliveries = await lockRead(client, [...new Set(due.map(({ deliveryId }) => deliveryId))])
  const emailIds = deliveries.map(({ emailId }) => emailId)
  await client.query({
    name: "tracking.add_engagements",
    text: `INSERT INTO email_engagements (project_id, email_id, topic_id) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[])
      ON CONFLICT DO NOTHING`,
    values: [deliveries.map(({ projectId }) => projectId), emailIds, deliveries.map(({ topicId }) => topicId)],
  })
  const early = deliveries.filter(({ id, sentAt }) =>
    due.some((hit) => hit.deliveryId === id && sentAt && hit.at < sentAt),
  )
  const { rows } = await client.query<EmailEngagement & { emailId: string; urls: string[]; attemptedAt: Date[] }>({
    name: "tracking.engagements",
    text: `SELECT g.email_id AS "emailId", g.human_events AS "humanEvents", g.human_clicks AS "humanClicks",
        g.machine_events AS "machineEvents", g.readings, g.read_ms AS "readMs", g.read_at AS "readAt", g.engaged_at AS "engagedAt", g.user_agent AS "userAgent", t.urls,
        -- One that was lost with its worker has no end, and is dated when that was found.
        CASE WHEN g.email_id = ANY ($3::uuid[]) THEN ARRAY(
          SELECT d.first_attempt_at FROM deliveries d WHERE d.project_id = g.project_id AND d.email_id = g.email_id
          UNION SELECT a.started_at FROM delivery_attempts a
            WHERE a.project_id = g.project_id AND a.email_id = g.email_id AND a.ended_at IS NOT NULL
          ORDER BY 1) ELSE '{}' END AS "attemptedAt"
      FROM email_engagements g JOIN tracked_emails t ON t.project_id = g.project_id AND t.email_id = g.email_id
      WHERE (g.project_id, g.email_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))`,
    values: [deliveries.map(({ projectId }) => projectId), emailIds, early.map(({ emailId }) => emailId)],
  })
  const byEmail = new Map(rows.map((row) => [row.emailId, row]))
  return new Map(
    deliveries.flatMap((delivery) => {
      const row = byEmail.get(delivery.emailId)
      if (!row) return []
      const { urls, attemptedAt, emailId: _emailId, ...engagement } = row
      return [[delivery.id, { delivery, attemptedAt, engagement, urls }] as const]
    }),
  )
}

/** Of one email: more than a process passes on in an hour. */
const aroundMax = 5_000

/** The requests that bear on those that are due, judged or not: of the same emails, about the times of these. */
function hitsAround(client: Queryable, known: readonly Known[], due: readonly HitRow[]): Promise<HitRow[]> {
  const spans = known.map(({ delivery: { id, projectId, emailId } }) => {
    const times = due.filter(({ deliveryId }) => deliveryId === id).map(({ at }) => at.getTime())
    return {
      projectId,
      emailId,
      from: new Date(Math.min(...times) - nearMs),
      to: new Date(Math.max(...times) + nearMs),
    }
  })
  return hits(client, {
    name: "tracking.hits_around",
    // Of each email by itself, so that a flood for one takes nothing from another. A range keeps the planner from the index over
    // times, which has those of all emails.
    from: `unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) AS g(project_id, email_id, first, last)
      CROSS JOIN LATERAL (
        SELECT * FROM tracking_hits h WHERE h.project_id = g.project_id AND h.email_id = g.email_id
          AND tstzrange(g.first, g.last, '[]') @> h.at LIMIT $5
      ) found`,
    values: [
      spans.map(({ projectId }) => projectId),
      spans.map(({ emailId }) => emailId),
      spans.map(({ from }) => from),
      spans.map(({ to }) => to),
      aroundMax,
    ],
  })
}

type Hits = { name: string; from: string; values: unknown[] }

/** Of all projects. */
async function hits(client: Queryable, { name, from, values }: Hits): Promise<HitRow[]> {
  const text = `SELECT id, delivery_id AS "deliveryId", kind, number, client, user_agent AS "userAgent", head,
      held_ms AS "heldMs", at, due_at IS NULL AS "isJudged", now() AS now FROM ${from}`
  return (await client.query<HitRow>({ name, text, values })).rows
}

async function write(client: Queryable, outcomes: readonly Outcome[]): Promise<void> {
  await addPastEvents(
    client,
    outcomes.flatMap(({ delivery: { id: deliveryId, projectId, emailId }, events }) =>
      events.map(({ at, ...event }) => ({ id: newId(), projectId, emailId, deliveryId, ...event, occurredAt: at })),
    ),
  )
  await advance(
    client,
    outcomes.flatMap(({ delivery, status }) => (status ? [{ delivery, to: status }] : [])),
  )
  await writeEngagements(client, outcomes)
  await addOpeningHours(client, outcomes)
}

async function writeEngagements(client: Queryable, outcomes: readonly Outcome[]): Promise<void> {
  if (!outcomes.length) return
  await client.query({
    name: "tracking.write_engagements",
    text: `UPDATE email_engagements g SET human_events = n."humanEvents", human_clicks = n."humanClicks",
        machine_events = n."machineEvents", readings = n.readings, read_ms = n."readMs", read_at = n."readAt", engaged_at = n."engagedAt",
        user_agent = n."userAgent"
      FROM json_to_recordset($1) AS n("projectId" uuid, "emailId" uuid, "humanEvents" int, "humanClicks" int, "machineEvents" int,
        readings jsonb, "readMs" int, "readAt" timestamptz, "engagedAt" timestamptz, "userAgent" text)
      WHERE g.project_id = n."projectId" AND g.email_id = n."emailId"`,
    values: [
      JSON.stringify(
        outcomes.map(({ delivery: { projectId, emailId }, engagement }) => ({ projectId, emailId, ...engagement })),
      ),
    ],
  })
}

const hoursOfDay = 24

/** Counts first opens by hour of the day: by these, `optimal` finds the hour to send at. */
async function addOpeningHours(client: Queryable, outcomes: readonly Outcome[]): Promise<void> {
  const opened = outcomes.flatMap(({ delivery: { projectId, canonical }, firstOpenedAt }) =>
    firstOpenedAt && !isSimulated(canonical) ? [{ projectId, canonical, hour: firstOpenedAt.getUTCHours() + 1 }] : [],
  )
  if (!opened.length) return
  await client.query({
    name: "tracking.add_opening_hours",
    text: `INSERT INTO opening_hours AS o (project_id, email, hours)
      SELECT project_id, email, array_agg(opens ORDER BY hour) FROM (
          SELECT g.project_id, g.email, h.hour, count(*) FILTER (WHERE g.hour = h.hour)::int AS opens
            FROM unnest($1::uuid[], $2::text[], $3::int[]) AS g(project_id, email, hour), generate_series(1, ${hoursOfDay}) AS h(hour)
            GROUP BY g.project_id, g.email, h.hour) counted
        GROUP BY project_id, email ORDER BY project_id, email
      ON CONFLICT (project_id, email) DO UPDATE SET updated_at = now(), hours = ARRAY(
        SELECT coalesce(o.hours[h], 0) + excluded.hours[h] FROM generate_series(1, ${hoursOfDay}) AS h ORDER BY h)`,
    values: [
      opened.map(({ projectId }) => projectId),
      opened.map(({ canonical }) => canonical),
      opened.map(({ hour }) => hour),
    ],
  })
}

/** Judged requests of all projects stay for a while: later ones are compared with them. */
async function settle(client: Queryable, judged: readonly string[], waiting: readonly string[]): Promise<void> {
  await client.query({
    name: "tracking.settle_hits",
    text: `UPDATE tracking_hits SET due_at = CASE WHEN id = ANY ($2::uuid[]) THEN now() + make_interval(secs => $3) END
      WHERE id = ANY ($1::uuid[]) OR id = ANY ($2::uuid[])`,
    values: [judged, waiting, postponeSeconds],
  })
}
