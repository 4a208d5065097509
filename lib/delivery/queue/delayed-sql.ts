import type pg from "pg"
import { claimedShape } from "@/lib/delivery/queue/claim-statement-sql"
import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import { emailsAfter } from "@/lib/delivery/queue/finish-sql"
import { delayed } from "@/lib/delivery/queue/outcome"
import { recordOutcomes } from "@/lib/delivery/queue/record-sql"
import { delayedAfterSeconds } from "@/lib/delivery/queue/rules"
import type { Reason } from "@/lib/explanation/codes"
import { findOutages } from "@/lib/delivery/regions/outage-sql"
import { simulatorDomain } from "@/lib/delivery/transports/simulator"
import { transaction } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"

// On `pg`, because it locks and records as the delivery loop does, whose rows these are, with SKIP LOCKED.

const atOnce = 500

type Late = Omit<Claimed, "claimedAt"> & {
  subject: string
  dueAt: Date
  diagnostic: string | null
  /** Why it waits, which stays. */
  reason: Reason | null
}

/**
 * Notes deliveries of all projects that have waited for 20 minutes after their first due time, once each: for their next
 * attempt, or for a region that is down. Those that a worker holds are noted by their outcome. A call is one round; it
 * answers how many there were, and goes on behind them.
 */
export function createDelayNotices(): () => Promise<number> {
  /** Up to which due time the mail of a region that is down has been noted. */
  const noted = new Map<string, Date>()

  return async () => {
    const retried = await transaction(async (client) => note(client, await lateRetries(client)))
    const outages = await findOutages()
    for (const region of noted.keys()) if (!outages.some(({ route }) => route === region)) noted.delete(region)
    let down = 0
    for (const { route, diagnostic } of outages) {
      down += await transaction(async (client) => {
        const late = await lateInRegion(client, route, noted.get(route) ?? null)
        const last = late.at(-1)
        if (last) noted.set(route, last.dueAt)
        return note(
          client,
          late.map((one) => ({ ...one, diagnostic })),
        )
      })
    }
    return retried + down
  }
}

function lateRetries(client: pg.PoolClient): Promise<Late[]> {
  const where = `d.status = 'sending' AND d.attempt_count > 0 AND d.due_at IS NOT NULL
    AND d.first_attempt_at <= now() - make_interval(secs => $1) ORDER BY d.first_attempt_at`
  return lateWhere(client, where, [delayedAfterSeconds, atOnce])
}

/** In the order of their due times, so that each is read once in an outage. Mail for the simulator has another way. */
function lateInRegion(client: pg.PoolClient, region: string, from: Date | null): Promise<Late[]> {
  const where = `d.due_at <= now() - make_interval(secs => $1) AND d.region = $3 AND d.status IN ('queued', 'sending')
    AND d.due_at >= coalesce($4::timestamptz, '-infinity') AND d.canonical NOT LIKE $5 ORDER BY d.due_at`
  return lateWhere(client, where, [delayedAfterSeconds, atOnce, region, from, `%@${simulatorDomain()}`])
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
async function note(client: pg.PoolClient, late: readonly Late[]): Promise<number> {
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
