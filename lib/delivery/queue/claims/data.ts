import { findDueQueues, noteDomains } from "@/lib/delivery/queue/queues/data"
import { secondsToLive } from "@/lib/delivery/queue/rules"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { columnsOf } from "@/lib/platform/database/shape"
import { extendLeases } from "@/lib/platform/jobs/leases-sql"
import type { Region } from "@/lib/regions/regions"
import type { Prisma } from "@/prisma/generated/client"

// On `pg`: every worker claims all the time and reads this for every group of all projects, and Prisma has no SKIP LOCKED
// (lib/README.md, "Data access").

/** What a claim reads of a delivery. */
export const claimedShape = {
  ...{ id: true, projectId: true, emailId: true, address: true, canonical: true, status: true },
  ...{ attempt: true, attemptCount: true, unfinished: true, dataAttempt: true, queueId: true },
} as const

/**
 * A delivery that this worker holds until its lease ends. `attempt` is the fencing token: a worker with an older number has lost
 * the delivery. `dataAttempt` is set only with the policy `hold`.
 */
export type Claimed = Omit<Prisma.DeliveryGetPayload<{ select: typeof claimedShape }>, "status"> & {
  status: "sending" | "delivery_delayed"
  claimedAt: Date
}

type ClaimOptions = {
  region: Region
  limit: number
  leaseMs: number
  /** Organizations of which nothing is claimed. */
  without?: readonly string[]
}

/** Projects visited in one claim; the next claim continues after them. */
const projectsMax = 200
const beforeAll = "00000000-0000-0000-0000-000000000000"

/** While a relay is unreachable, expired deliveries are looked for this often. */
const expiryEveryMs = 60_000

type ClaimerOptions = {
  /** Receives the routes that are down, and may add some. */
  onDown?: (routes: readonly string[]) => readonly string[]
  /** The worker, which also claims from the queues of destinations that it holds. */
  worker?: string
  /** How much may be claimed of the queue of a destination. */
  destinations?: DestinationRoom | undefined
}

export type DestinationRoom = {
  room(queue: number, isTry: boolean): number
  claimed(queue: number, count: number): void
}

/**
 * Claims deliveries of one region, from one of its queues after the other, and in each rotating over its projects: each gets an
 * equal share of `limit`, no more than its sending allowance. Of a queue whose relay is unreachable only expired deliveries are
 * claimed. Times are the database's.
 */
export function createDeliveryClaim({ onDown = (routes) => routes, worker, destinations }: ClaimerOptions = {}): (
  options: ClaimOptions,
) => Promise<Claimed[]> {
  const places = new Map<number, Place>()
  let last = 0
  let pausedAt = -Infinity

  return async ({ region, limit, leaseMs, without = [] }) => {
    // What waits in a queue that is paused is only looked at for what has expired.
    const withPaused = performance.now() - pausedAt >= expiryEveryMs
    if (withPaused) pausedAt = performance.now()
    const { queues, down } = await findDueQueues(region, worker ?? null, { withPaused })
    const closed = onDown(down)
    const claimed: Claimed[] = []
    // Each queue comes first in turn, so that none with much mail holds up the others.
    for (const { id, route, isOfDestination, isPaused, isTry } of [
      ...queues.filter(({ id }) => id > last),
      ...queues.filter(({ id }) => id <= last),
    ]) {
      const place = places.get(id) ?? { behind: beforeAll, expiryAt: -Infinity }
      places.set(id, place)
      const expired = isPaused || closed.includes(route)
      if (expired && !isPaused && performance.now() - place.expiryAt < expiryEveryMs) continue
      const paced = isOfDestination && !expired ? destinations : undefined
      const most = Math.min(limit - claimed.length, paced?.room(id, isTry) ?? limit)
      if (most === 0) continue
      const options = { queue: id, expired, limit: most, leaseMs, without }
      const more = await claimRound(place, options).catch((error: unknown) => {
        // What is claimed is worked on; the next claim meets the error again.
        if (claimed.length === 0) throw error
        return []
      })
      if (isOfDestination) destinations?.claimed(id, more.length)
      if (more.length > 0 && claimed.length === 0) last = id
      claimed.push(...more)
      if (claimed.length === limit) break
    }
    return claimed
  }
}

/** Of a queue: the project where its next claim continues, and when it was last found to have nothing expired. */
type Place = { behind: string; expiryAt: number }

type QueueClaim = { queue: number; expired: boolean; limit: number; leaseMs: number; without: readonly string[] }

async function claimRound(place: Place, options: QueueClaim): Promise<Claimed[]> {
  const from = place.behind
  const first = await claimBehind(from, options)
  let claimed = first.claimed
  place.behind = first.next
  if (claimed.length < options.limit && from !== beforeAll && place.behind === beforeAll) {
    const again = await claimBehind(beforeAll, { ...options, limit: options.limit - claimed.length })
    place.behind = again.next
    claimed = [...claimed, ...again.claimed]
  }
  if (options.expired && claimed.length === 0) place.expiryAt = performance.now()
  return claimed
}

/** Claims over all projects; `next` is where the next claim continues: after the last one served or visited, or from the start. */
async function claimBehind(behind: string, options: QueueClaim): Promise<{ claimed: Claimed[]; next: string }> {
  const { queue, expired, limit, leaseMs, without } = options
  const { rows } = await pool().query<Row | (Walked & { id: null })>({
    name: expired ? "delivery.claim_expired" : "delivery.claim",
    text: expired ? expiredStatement : claimStatement,
    values: [queue, behind, projectsMax, limit, leaseMs / 1000, without],
  })
  const walked = rows[0]
  if (walked && walked.unknown.length > 0) {
    await makeAllowances(walked.unknown)
    if (walked.id === null) return claimBehind(behind, options)
  }
  const claimed = rows.flatMap((row) => (row.id === null ? [] : [toClaimed(row)]))
  const lastServed = claimed.reduce((last, { projectId }) => (projectId > last ? projectId : last), beforeAll)
  const lastWalked = walked && walked.walked === projectsMax ? (walked.last_walked ?? beforeAll) : beforeAll
  return { claimed, next: claimed.length === limit ? lastServed : lastWalked }
}

/** A project gets its token bucket, a full one, when its first email is due. */
async function makeAllowances(projectIds: readonly string[]): Promise<void> {
  for (const id of projectIds)
    await db({ project: { id } }).deliveryAllowance.createMany({ data: {}, skipDuplicates: true })
}

type Walked = { walked: number; last_walked: string | null; unknown: string[] }

type Row = Walked & Claimed

function toClaimed({ walked: _, last_walked: _last, unknown: _unknown, ...claimed }: Row): Claimed {
  return claimed
}

/**
 * Claims one due delivery of a region for a probe: of a domain that was not refused yet if there is one, from the oldest and
 * the newest that wait, so that no single recipient decides about the relay. None goes to a destination that the operator has paused.
 */
export async function claimForProbe(
  region: Region,
  leaseMs: number,
  refusedDomains: readonly string[],
): Promise<Claimed[]> {
  const waiting = (order: "ASC" | "DESC") => `(SELECT d.id, d.project_id, d.canonical FROM delivery_queues q,
      LATERAL (SELECT id, project_id, canonical FROM deliveries
        WHERE queue_id = q.id AND due_at <= now() ORDER BY due_at ${order} LIMIT 100) d
    WHERE q.region = $1 AND q.kind <> 'simulator' AND q.pause IS DISTINCT FROM 'operator')`
  const { rows } = await pool().query<Claimed>({
    name: "delivery.claim_probe",
    text: `WITH waiting AS MATERIALIZED (${waiting("ASC")} UNION ${waiting("DESC")}), chosen AS (
        SELECT d.id FROM waiting w JOIN deliveries d ON d.id = w.id AND d.due_at <= now()
          JOIN projects p ON p.id = w.project_id AND p.suspended_at IS NULL AND p.deleted_at IS NULL
          ORDER BY split_part(w.canonical, '@', 2) = ANY ($3), random() LIMIT 1 FOR UPDATE OF d SKIP LOCKED
      )
      UPDATE deliveries d SET status = CASE WHEN d.status = 'delivery_delayed' THEN d.status ELSE 'sending' END,
          attempt = d.attempt + 1, unfinished = d.unfinished + 1, due_at = now() + make_interval(secs => $2),
          first_attempt_at = coalesce(d.first_attempt_at, now()), updated_at = now()
        WHERE d.id = ANY (ARRAY(SELECT id FROM chosen))
        RETURNING ${columnsOf(claimedShape, "d")}, now() AS "claimedAt"`,
    values: [region, leaseMs / 1_000, refusedDomains],
  })
  return rows
}

/** Extends leases; answers the claims that are still held. A claim that has just ended with a wait keeps its wait. */
export function holdClaims(claimed: readonly Claimed[], leaseMs: number): Promise<Claimed[]> {
  const held = "t.status IN ('sending', 'delivery_delayed') AND t.unfinished > 0"
  return extendLeases("deliveries", claimed, { leaseMs, held })
}

/**
 * Undoes claims, of all projects: the deliveries become due again one after the other, so many seconds apart, each in its queue
 * if one is given. The fencing token is incremented, so that doing it twice changes nothing.
 */
export async function putBack(
  claimed: readonly Pick<Claimed, "id" | "attempt">[],
  apartSeconds: number,
  queues: readonly number[] = [],
): Promise<void> {
  await pool().query({
    name: "delivery.put_back",
    text: `UPDATE deliveries d SET due_at = now() + given.place * make_interval(secs => $3), unfinished = d.unfinished - 1,
        attempt = d.attempt + 1, queue_id = coalesce(q.id, d.queue_id)
      FROM unnest($1::uuid[], $2::int[], $4::int[]) WITH ORDINALITY AS given(id, attempt, queue, place)
        LEFT JOIN delivery_queues q ON q.id = given.queue
      WHERE d.id = given.id AND d.attempt = given.attempt AND d.status IN ('sending', 'delivery_delayed')`,
    values: [claimed.map(({ id }) => id), claimed.map(({ attempt }) => attempt), apartSeconds, queues],
  })
}

export type Move = { claimed: Claimed; queue: number }

/** Puts claims into the queues of their destinations: nothing is charged to them, or to the allowances of their projects. */
export async function moveToQueues(moves: readonly Move[]): Promise<void> {
  const claimed = moves.map((move) => move.claimed)
  await putBack(
    claimed,
    0,
    moves.map(({ queue }) => queue),
  )
  const domainOf = ({ canonical }: Claimed) => canonical.slice(canonical.lastIndexOf("@") + 1)
  await noteDomains(new Map(moves.map((move) => [domainOf(move.claimed), move.queue])))
  for (const projectId of new Set(claimed.map((one) => one.projectId))) {
    const count = claimed.filter((one) => one.projectId === projectId).length
    await db({ project: { id: projectId } }).deliveryAllowance.updateMany({ data: { tokens: { increment: count } } })
  }
}

/**
 * Marks claims, of all projects, whose message's data is about to be sent: only these are in doubt if their outcome is lost.
 * Returns the ids that are still held.
 */
export async function markData(claimed: readonly Claimed[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>({
    name: "delivery.mark_data",
    text: `UPDATE deliveries d SET data_attempt = d.attempt FROM unnest($1::uuid[], $2::int[]) AS given(id, attempt)
      WHERE d.id = given.id AND d.attempt = given.attempt AND d.status IN ('sending', 'delivery_delayed') RETURNING d.id`,
    values: [claimed.map(({ id }) => id), claimed.map(({ attempt }) => attempt)],
  })
  return new Set(rows.map(({ id }) => id))
}

// The statement of a claim

const secondsMax = secondsToLive(null)

const isExpired = `EXISTS (SELECT 1 FROM emails e WHERE e.id = d.email_id AND coalesce(e.scheduled_at, e.created_at)
  < now() - make_interval(secs => least(${secondsMax}, coalesce(e.give_up_after, ${secondsMax}))))`

/** As many as a bucket holds at most, of project `p`; and what the bucket `a` holds now. */
export const tokensMax = "greatest(100, 20 * p.per_second_sends::double precision)"
export const tokens = `least(${tokensMax},
  a.tokens + greatest(0, extract(epoch FROM now() - a.refilled_at))::double precision * p.per_second_sends)`

/** Leases due deliveries of a queue. */
export const claimStatement = statementOf("d.queue_id = $1 AND d.due_at <= now()")

const expiredStatement = statementOf(`d.queue_id = $1 AND d.due_at <= now() AND ${isExpired}`)

/**
 * Leases up to `$4` deliveries of queue `$1` that are due for `$5` seconds, from at most `$3` projects after `$2`. Only projects
 * with tokens, of other organizations than `$6`, share the claim, equally: the share that one has no tokens or no mail for goes to the others. A project
 * whose allowance another worker has locked is left to that worker.
 */
function statementOf(due: string): string {
  const waits = "d.queue_id = $1 AND d.due_at IS NOT NULL"
  return `
  WITH RECURSIVE walk AS (
    (SELECT d.project_id FROM deliveries d WHERE ${waits} AND d.project_id > $2 ORDER BY d.project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.project_id FROM deliveries d WHERE ${waits} AND d.project_id > w.project_id
        ORDER BY d.project_id LIMIT 1)
      FROM walk w WHERE w.project_id IS NOT NULL
  ), waiting AS MATERIALIZED (
    -- Not EXISTS, which may become a join: it would read all that is due.
    SELECT w.project_id FROM walk w WHERE w.project_id IS NOT NULL
        AND (SELECT true FROM deliveries d WHERE d.project_id = w.project_id AND ${due} LIMIT 1)
      LIMIT $3
  ), allowance AS MATERIALIZED (
    SELECT a.project_id, ${tokens} AS tokens FROM delivery_allowances a JOIN projects p ON p.id = a.project_id
      WHERE a.project_id IN (SELECT project_id FROM waiting) AND p.suspended_at IS NULL AND p.deleted_at IS NULL
        AND p.organization_id <> ALL ($6) AND ${tokens} >= 1
      ORDER BY a.project_id FOR UPDATE OF a SKIP LOCKED
  ), wanted AS (
    -- Of a project with more than twice its equal share it is enough to know that.
    SELECT a.project_id, a.tokens, s.projects,
        least(floor(a.tokens), CASE WHEN f.found < s.enough THEN f.found ELSE $4 END)::int AS want
      FROM allowance a, (
          SELECT count(*) AS projects, CASE WHEN count(*) > 1 THEN ceil(2.0 * $4 / count(*)) ELSE 0 END AS enough
            FROM allowance) s,
        LATERAL (SELECT count(*) AS found FROM (
          SELECT FROM deliveries d WHERE d.project_id = a.project_id AND ${due} LIMIT s.enough::int) few) f
  ), levels AS (
    -- What each may have once those that want less are served.
    SELECT *, ($4 - (sum(want) OVER smaller - want)) / (projects - row_number() OVER smaller + 1.0) AS level
      FROM wanted WINDOW smaller AS (ORDER BY want, project_id)
  ), share AS (
    SELECT project_id, tokens, least(want, ceil(max(level) OVER ()))::int AS most FROM levels ORDER BY project_id
  ), taken AS MATERIALIZED (
    SELECT s.project_id, t.id FROM share s, LATERAL (
        SELECT d.id FROM deliveries d WHERE d.project_id = s.project_id AND ${due}
          ORDER BY d.due_at LIMIT greatest(0, s.most) FOR UPDATE SKIP LOCKED) t
      LIMIT $4
  ), debited AS (
    UPDATE delivery_allowances h SET tokens = a.tokens - t.count, refilled_at = now()
      FROM allowance a JOIN (SELECT project_id, count(*) FROM taken GROUP BY project_id) t USING (project_id)
      WHERE h.project_id = a.project_id
  ), claimed AS (
    UPDATE deliveries d SET status = CASE WHEN d.status = 'delivery_delayed' THEN d.status ELSE 'sending' END,
        attempt = d.attempt + 1, unfinished = d.unfinished + 1, due_at = now() + make_interval(secs => $5),
        first_attempt_at = coalesce(d.first_attempt_at, now()), updated_at = now()
      -- An array, not a join: the planner then never reads the whole table.
      WHERE d.id = ANY (ARRAY(SELECT id FROM taken))
      RETURNING ${columnsOf(claimedShape, "d")}
  )
  SELECT c.*, now() AS "claimedAt", w.* FROM (SELECT (SELECT count(*)::int FROM waiting) AS walked,
      (SELECT project_id FROM waiting ORDER BY project_id DESC LIMIT 1) AS last_walked,
      ARRAY(SELECT w.project_id FROM waiting w
        WHERE NOT EXISTS (SELECT 1 FROM delivery_allowances a WHERE a.project_id = w.project_id)) AS unknown) w
    LEFT JOIN claimed c ON true`
}

/** In place of a claim: the delivery waited in a backup, and may have been sent after that by the installation that was lost. */
export const beforeRestore = 0

/** Counts the deliveries that wait of emails accepted up to `until`, without those scheduled for later, and `marks` them as in doubt. */
export async function doubtWaiting(
  projectId: string,
  { until, marks }: { until: Date; marks: boolean },
): Promise<number> {
  const deliveries = db({ project: { id: projectId } }).delivery
  const where = {
    status: { in: ["scheduled", "queued", "sending", "delivery_delayed"] },
    email: { createdAt: { lte: until }, OR: [{ scheduledAt: null }, { scheduledAt: { lte: new Date() } }] },
  }
  if (!marks) return deliveries.count({ where })
  return (await deliveries.updateMany({ where, data: { dataAttempt: beforeRestore } })).count
}
