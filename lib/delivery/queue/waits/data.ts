import type pg from "pg"
import { takeBackBounces } from "@/lib/consent/data"
import { type Claimed, claimedShape } from "@/lib/delivery/queue/claims/data"
import { delayed, takenBack } from "@/lib/delivery/queue/outcome"
import { emailsAfter, recordOutcomes } from "@/lib/delivery/queue/outcomes/data"
import { findHeldQueues, type HeldQueue } from "@/lib/delivery/queue/queues/data"
import { delayedAfterSeconds } from "@/lib/delivery/queue/rules"
import { findOutages, refusedDeliveries } from "@/lib/delivery/regions/data"
import type { Reason } from "@/lib/explanation/codes"
import { transaction } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import { runRepeatedly } from "@/lib/platform/jobs/leases"

// On `pg`: waiting deliveries are locked and recorded as the delivery loop does, whose rows these are, with SKIP LOCKED.

const everyMs = 30_000

/** Notes email that has waited for long, until the signal aborts. Never rejects. */
export function runDelayNotices(signal: AbortSignal): Promise<void> {
  const note = createDelayNotices()
  return runRepeatedly({
    name: "delay notices",
    round: async () => (await note()) > 0,
    intervalMs: everyMs,
    restMs: everyMs,
    signal,
  })
}

const noticesAtOnce = 500

type Late = Omit<Claimed, "claimedAt"> & {
  subject: string
  dueAt: Date
  diagnostic: string | null
  /** Why it waits, which stays. */
  reason: Reason | null
}

/**
 * Notes deliveries of all projects that have waited for 20 minutes after their first due time, once each: for their next
 * attempt, for a region that is down, or for a destination that takes nothing or little. Those that a worker holds are noted by
 * their outcome. A call is one round; it answers how many there were, and goes on behind them.
 */
export function createDelayNotices(): () => Promise<number> {
  /** Up to which due time the mail of a queue has been noted. */
  const noted = new Map<number, Date>()

  return async () => {
    const retried = await transaction(async (client) => noteDelays(client, await lateRetries(client)))
    const outages = await findOutages()
    const held = await findHeldQueues(new Map(outages.map(({ route, diagnostic }) => [route, diagnostic])))
    const replies = new Map(held.map(({ id, reply }) => [id, reply]))
    for (const queue of noted.keys()) if (!replies.has(queue)) noted.delete(queue)
    if (held.length === 0) return retried
    const waiting = await transaction(async (client) => {
      const late = await lateInQueues(client, held, noted)
      await noteDelays(
        client,
        late.map((one) => ({ ...one, diagnostic: replies.get(one.queueId ?? 0) ?? one.diagnostic })),
      )
      return late
    })
    // Not before the commit: a round that fails begins at the same emails again.
    for (const { queueId, dueAt } of waiting) if (queueId !== null) noted.set(queueId, dueAt)
    return retried + waiting.length
  }
}

function lateRetries(client: pg.PoolClient): Promise<Late[]> {
  const where = `d.status = 'sending' AND d.attempt_count > 0 AND d.due_at IS NOT NULL
    AND d.first_attempt_at <= now() - make_interval(secs => $1) ORDER BY d.first_attempt_at`
  return lateWhere(client, where, [delayedAfterSeconds, noticesAtOnce])
}

/** In the order of their due times, so that each is read once while its queue waits. */
function lateInQueues(
  client: pg.PoolClient,
  queues: readonly HeldQueue[],
  noted: ReadonlyMap<number, Date>,
): Promise<Late[]> {
  const where = `d.status IN ('queued', 'sending') AND d.id = ANY (ARRAY(
      SELECT w.id FROM unnest($3::int[], $4::timestamptz[]) AS q(id, since), LATERAL (SELECT id, due_at FROM deliveries
          WHERE queue_id = q.id AND due_at <= now() - make_interval(secs => $1) AND unfinished = 0
            AND status IN ('queued', 'sending') AND due_at >= coalesce(q.since, '-infinity')
          ORDER BY due_at LIMIT $2) w
        ORDER BY w.due_at LIMIT $2)) ORDER BY d.due_at`
  const ids = queues.map(({ id }) => id)
  return lateWhere(client, where, [delayedAfterSeconds, noticesAtOnce, ids, ids.map((id) => noted.get(id) ?? null)])
}

/** Locks deliveries of all projects that no worker holds. */
async function lateWhere(client: pg.PoolClient, where: string, values: unknown[]): Promise<Late[]> {
  const { rows } = await client.query<Late>(
    `SELECT ${columnsOf(claimedShape, "d")}, e.subject, d.due_at AS "dueAt", d.diagnostic,
        CASE WHEN e.reason IS NOT NULL THEN jsonb_build_object('code', e.reason, 'facts', e.reason_facts) END AS reason
      FROM deliveries d JOIN emails e ON e.id = d.email_id
      WHERE d.unfinished = 0 AND ${where} LIMIT $2 FOR NO KEY UPDATE OF d SKIP LOCKED`,
    values,
  )
  return rows
}

/** Of all projects. */
async function noteDelays(client: pg.PoolClient, late: readonly Late[]): Promise<number> {
  if (late.length === 0) return 0
  await client.query({
    name: "delivery.note_delays",
    text: `UPDATE deliveries d SET status = 'delivery_delayed', updated_at = now() WHERE d.id = ANY ($1::uuid[])`,
    values: [late.map(({ id }) => id)],
  })
  const outcomes = late.map(({ subject, dueAt: _, diagnostic, reason, ...claimed }) =>
    delayed({ claimed: { ...claimed, claimedAt: new Date(0) }, subject }, diagnostic ?? "", reason),
  )
  await recordOutcomes(client, outcomes, await emailsAfter(client, outcomes))
  return late.length
}

const takenBackAtOnce = 200

/**
 * Takes back the bounces of a relay that turned out to refuse everybody: the deliveries wait again, no attempt is counted,
 * and what the bounces suppressed is allowed again. Doing it twice changes nothing. Returns how many there were.
 */
export async function takeBackRefused(route: string, sentence: string): Promise<number> {
  const ids = await refusedDeliveries(route, sentence)
  let count = 0
  for (let at = 0; at < ids.length; at += takenBackAtOnce) {
    const group = ids.slice(at, at + takenBackAtOnce)
    count += await transaction((client) => takeBack(client, group))
  }
  return count
}

type Bounced = Claimed & { subject: string; lastDiagnostic: string | null }

/** Of all projects. Locks deliveries first, then emails, both in the order of their ids, as every writer does. */
async function takeBack(client: pg.PoolClient, ids: readonly string[]): Promise<number> {
  const { rows } = await client.query<Bounced>(
    `WITH held AS MATERIALIZED (
        SELECT id FROM deliveries WHERE id = ANY ($1) AND status = 'bounced' ORDER BY id FOR UPDATE
      )
      UPDATE deliveries d SET status = 'delivery_delayed', due_at = now(), attempt = d.attempt + 1, unfinished = 0,
          attempt_count = greatest(0, d.attempt_count - 1), ended_at = NULL, bounce_type = NULL, bounce_code = NULL,
          reason = NULL, reason_facts = NULL, updated_at = now()
        FROM emails e WHERE d.id = ANY (ARRAY(SELECT id FROM held)) AND e.id = d.email_id
        RETURNING ${columnsOf(claimedShape, "d")}, e.subject, d.diagnostic AS "lastDiagnostic"`,
    [ids],
  )
  if (rows.length === 0) return 0
  const outcomes = rows.map(({ subject, lastDiagnostic, ...claimed }) =>
    takenBack({ claimed, subject }, lastDiagnostic ?? ""),
  )
  await recordOutcomes(client, outcomes, await emailsAfter(client, outcomes, { fromBounced: true }))
  await takeBackBounces(
    client,
    outcomes.map(({ claimed }) => ({
      projectId: claimed.projectId,
      email: claimed.canonical,
      emailId: claimed.emailId,
    })),
  )
  return rows.length
}
