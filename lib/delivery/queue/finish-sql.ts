import type pg from "pg"
import { finishAccepted, isAccepted, type Accepted } from "@/lib/delivery/queue/accepted-sql"
import { batchWrites } from "@/lib/platform/jobs/batch-writes"
import type { Outcome } from "@/lib/delivery/queue/outcome"
import { suppressSoft, recordOutcomes, type EmailAfter } from "@/lib/delivery/queue/record-sql"
import { aggregateStatus, nextStatus, rankOf, type EmailStatus } from "@/lib/delivery/queue/rules"
import { reasonIn, type StoredReason } from "@/lib/explanation/codes"
import { transaction } from "@/lib/platform/database/db"
import { untilWritten } from "@/lib/platform/jobs/until-written"
import { log } from "@/lib/platform/log"
import { isUnavailable } from "@/lib/platform/database/sql-errors"

// On `pg`, because the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

/**
 * Writes an outcome, batched with others that end at the same time; false if the delivery was lost to another worker,
 * whose outcome then counts. A lost acceptance would be sent twice: so this retries while the database takes no writes,
 * and writes an outcome that the database refuses once more without the texts that came from outside.
 */
export async function finish(outcome: Outcome, signal: AbortSignal): Promise<boolean> {
  try {
    return await untilWritten(() => writeOnce(outcome), signal)
  } catch (error) {
    if (isUnavailable(error)) throw error
    log.error(
      { err: error, deliveryId: outcome.claimed.id },
      "the database refused an outcome; it is written without its texts",
    )
    const bare = withoutTexts(outcome)
    return untilWritten(() => writeOnce(bare), signal)
  }
}

async function writeOnce(outcome: Outcome): Promise<boolean> {
  return (isAccepted(outcome) && (await finishAcceptedBatched(outcome))) || finishBatched(outcome)
}

const unstorable = "The server's reply could not be stored."

/** The same outcome without texts from outside, for when the database refuses them: losing the texts beats losing the outcome. */
function withoutTexts(outcome: Outcome): Outcome {
  const attempts = outcome.attempts.map((record) =>
    record.attempt ? { ...record, attempt: { ...record.attempt, text: unstorable, conversation: [] } } : record,
  )
  const events = outcome.events.map(({ type, data }) => ({
    type,
    data: data.diagnostic === undefined ? data : { ...data, diagnostic: unstorable },
  }))
  return { ...outcome, attempts, events, ...(outcome.diagnostic === undefined ? {} : { diagnostic: unstorable }) }
}

const finishAcceptedBatched = batchWrites(
  async (outcomes: Accepted[]) => {
    const held = await finishAccepted(outcomes)
    return outcomes.map(({ claimed }) => held.has(claimed.id))
  },
  { max: 200, spacingMs: 50 },
)

const finishBatched = batchWrites(finishBatch, { max: 200, spacingMs: 50 })

/** One transaction. Locks deliveries first, then emails, both in the order of their ids, as every writer does. */
async function finishBatch(outcomes: Outcome[]): Promise<boolean[]> {
  return transaction(async (client) => {
    const held = await updateDeliveries(client, outcomes)
    const current = outcomes.filter(({ claimed }) => held.has(claimed.id))
    if (current.length > 0) {
      const emails = await emailsAfter(client, current)
      await recordOutcomes(client, current, emails)
      await suppressSoft(client, current)
    }
    return outcomes.map(({ claimed }) => held.has(claimed.id))
  })
}

/** Of all projects: a delivery has one id in all of them. */
async function updateDeliveries(client: pg.PoolClient, outcomes: Outcome[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: "delivery.finish",
    text: `WITH given AS MATERIALIZED (
        SELECT * FROM json_to_recordset($1) AS g(id uuid, attempt int, status text, due_in float8, is_open boolean, counts boolean,
          unfinished int, bounce_type text, bounce_code text, diagnostic text,
          suppressed_by text, reason text, reason_facts jsonb)
      ), held AS MATERIALIZED (
        -- Locked one by one in the given order, which is that of the ids.
        SELECT h.id FROM given g, LATERAL (SELECT d.id FROM deliveries d WHERE d.id = g.id AND d.attempt = g.attempt
          AND d.status IN ('sending', 'delivery_delayed') FOR UPDATE) h
      )
      UPDATE deliveries d SET status = g.status, due_at = now() + make_interval(secs => g.due_in),
          attempt_count = d.attempt_count + g.counts::int, unfinished = g.unfinished,
          -- A claim that keeps its count increments the fencing token, so that no heartbeat mistakes its wait for a lease.
          attempt = d.attempt + (g.unfinished > 0)::int, data_attempt = nullif(d.data_attempt, d.attempt),
          sent_at = CASE WHEN g.status IN ('sent', 'delivered') THEN now() ELSE d.sent_at END,
          delivered_at = CASE WHEN g.status = 'delivered' THEN now() ELSE d.delivered_at END,
          ended_at = CASE WHEN g.due_in IS NULL AND NOT g.is_open THEN now() END,
          bounce_type = g.bounce_type, bounce_code = g.bounce_code, diagnostic = g.diagnostic,
          suppressed_by = g.suppressed_by, reason = g.reason, reason_facts = g.reason_facts, updated_at = now()
        FROM given g WHERE d.id = g.id AND d.id = ANY (ARRAY(SELECT id FROM held)) RETURNING d.id`,
    values: [JSON.stringify(outcomes.map(deliveryValues).sort(byId))],
  })
  return new Set(rows.map(({ id }) => id))
}

/** As PostgreSQL orders UUIDs. */
function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1
}

function deliveryValues(outcome: Outcome) {
  return {
    id: outcome.claimed.id,
    attempt: outcome.claimed.attempt,
    status: outcome.status,
    due_in: outcome.dueInSeconds,
    is_open: outcome.isOpen,
    counts: outcome.counts,
    unfinished: outcome.unfinished,
    bounce_type: outcome.bounceType,
    bounce_code: outcome.bounceCode,
    diagnostic: outcome.diagnostic,
    suppressed_by: outcome.suppressedBy,
    reason: outcome.reason?.code,
    reason_facts: outcome.reason?.facts,
  }
}

/**
 * The emails afterwards, of all projects. Their row locks make deliveries of one email that end together see each other. A
 * bounce is final, unless it is taken back (`fromBounced`).
 */
export async function emailsAfter(
  client: pg.PoolClient,
  outcomes: Outcome[],
  { fromBounced = false } = {},
): Promise<EmailAfter[]> {
  const { rows } = await client.query<{ id: string; status: EmailStatus } & StoredReason>({
    name: "delivery.lock_emails",
    text: 'SELECT id, status, reason, reason_facts AS "reasonFacts" FROM emails WHERE id = ANY ($1) ORDER BY id FOR UPDATE',
    values: [outcomes.map(({ claimed }) => claimed.emailId)],
  })
  const statuses = await deliveryStatuses(client, outcomes)
  return rows.map(({ id, status, ...stored }) => {
    const all = statuses.get(id) ?? []
    const latest = outcomes.findLast(({ claimed }) => claimed.emailId === id)?.reason ?? null
    const allLeft = all.every((one) => (rankOf(one) ?? 0) >= rankOfSent)
    return {
      id,
      status: fromBounced && status === "bounced" ? aggregateStatus(all) : nextStatus(status, aggregateStatus(all)),
      reason: allLeft ? null : (latest ?? reasonIn(stored)),
      relayed: all.some((one) => (rankOf(one) ?? 0) >= rankOfSent),
    }
  })
}

const rankOfSent = rankOf("sent") ?? 0

async function deliveryStatuses(client: pg.PoolClient, outcomes: Outcome[]): Promise<Map<string, EmailStatus[]>> {
  const statuses = new Map(outcomes.map(({ claimed, status }) => [claimed.emailId, [status]]))
  const shared = outcomes.filter(({ alone }) => !alone)
  if (shared.length === 0) return statuses
  const { rows } = await client.query<{ email_id: string; statuses: EmailStatus[] }>({
    name: "delivery.statuses",
    text: `SELECT email_id, array_agg(status) AS statuses FROM deliveries
      WHERE project_id = ANY ($1) AND email_id = ANY ($2) GROUP BY email_id`,
    values: [shared.map(({ claimed }) => claimed.projectId), shared.map(({ claimed }) => claimed.emailId)],
  })
  for (const row of rows) statuses.set(row.email_id, row.statuses)
  return statuses
}
