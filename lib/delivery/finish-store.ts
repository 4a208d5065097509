import type pg from "pg"
import { softBounceDays, softBouncesMax } from "@/lib/delivery/classify"
import { gather } from "@/lib/delivery/gather"
import type { Outcome } from "@/lib/delivery/outcome"
import { aggregateStatus, nextStatus, rankOf, type EmailStatus } from "@/lib/delivery/rules"
import { transaction } from "@/lib/platform/db"
import { newId } from "@/lib/platform/ids"
import { isUnavailable, sqlState } from "@/lib/platform/sql-errors"

const deadlockDetected = "40P01"
const pauseMs = 250

/**
 * Writes an outcome down, together with others that end at the same time; false if the delivery was lost to another
 * worker, whose word then stands. Holds on while the database is away: forgetting an acceptance would send it twice.
 */
export async function finish(outcome: Outcome, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    try {
      return await finishWithOthers(outcome)
    } catch (error) {
      const passing = isUnavailable(error) || sqlState(error) === deadlockDetected
      if (!passing || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

const finishWithOthers = gather(finishTogether, 100)

/** One transaction. Locks deliveries first, then emails, both in the order of their ids, as every writer of both does. */
async function finishTogether(outcomes: Outcome[]): Promise<boolean[]> {
  return transaction(async (client) => {
    const held = await updateDeliveries(client, outcomes)
    const ours = outcomes.filter(({ claimed }) => held.has(claimed.id))
    if (ours.length > 0) {
      const emails = await emailsAfter(client, ours)
      await writeDown(client, ours, emails)
      await suppressSoft(client, ours)
    }
    return outcomes.map(({ claimed }) => held.has(claimed.id))
  })
}

async function updateDeliveries(client: pg.PoolClient, outcomes: Outcome[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: "delivery.finish",
    text: `WITH given AS MATERIALIZED (
        SELECT * FROM json_to_recordset($1) AS g(id uuid, attempt int, status text, due_in float8, counts boolean,
          unfinished boolean, clock_stands boolean, bounce_type text, bounce_code text, diagnostic text)
      ), held AS MATERIALIZED (
        SELECT d.id FROM deliveries d JOIN given g ON g.id = d.id
          WHERE d.attempt = g.attempt AND d.status IN ('sending', 'delivery_delayed') ORDER BY d.id FOR UPDATE OF d
      )
      UPDATE deliveries d SET status = g.status, due_at = now() + make_interval(secs => g.due_in),
          tries = d.tries + g.counts::int, unfinished = CASE WHEN g.unfinished THEN d.unfinished ELSE 0 END,
          first_attempt_at = CASE WHEN g.clock_stands
            THEN d.first_attempt_at + (now() - d.updated_at) + make_interval(secs => g.due_in) ELSE d.first_attempt_at END,
          sent_at = CASE WHEN g.status IN ('sent', 'delivered') THEN now() ELSE d.sent_at END,
          delivered_at = CASE WHEN g.status = 'delivered' THEN now() ELSE d.delivered_at END,
          ended_at = CASE WHEN g.due_in IS NULL AND g.status <> 'sent' THEN now() END,
          bounce_type = g.bounce_type, bounce_code = g.bounce_code, diagnostic = g.diagnostic, updated_at = now()
        FROM given g WHERE d.id = g.id AND d.id IN (SELECT id FROM held) RETURNING d.id`,
    values: [JSON.stringify(outcomes.map(deliveryValues))],
  })
  return new Set(rows.map(({ id }) => id))
}

function deliveryValues(outcome: Outcome) {
  return {
    id: outcome.claimed.id,
    attempt: outcome.claimed.attempt,
    status: outcome.status,
    due_in: outcome.dueInSeconds,
    counts: outcome.counts,
    unfinished: outcome.unfinished,
    clock_stands: outcome.clockStands,
    bounce_type: outcome.bounceType,
    bounce_code: outcome.bounceCode,
    diagnostic: outcome.diagnostic,
  }
}

type EmailAfter = { id: string; status: EmailStatus; error: string | null; handedOver: boolean }

/** What becomes of the emails: their row locks make deliveries of one email that end together see each other. */
async function emailsAfter(client: pg.PoolClient, outcomes: Outcome[]): Promise<EmailAfter[]> {
  const { rows } = await client.query<{ id: string; status: EmailStatus; error: string | null }>({
    name: "delivery.lock_emails",
    text: "SELECT id, status, error FROM emails WHERE id = ANY ($1) ORDER BY id FOR UPDATE",
    values: [outcomes.map(({ claimed }) => claimed.emailId)],
  })
  const statuses = await deliveryStatuses(client, outcomes)
  return rows.map(({ id, status, error }) => {
    const all = statuses.get(id) ?? []
    const said = outcomes.findLast(({ claimed }) => claimed.emailId === id)?.error ?? null
    const allLeft = all.every((one) => (rankOf(one) ?? 0) >= rankOfSent)
    return {
      id,
      status: nextStatus(status, aggregateStatus(all)),
      error: allLeft ? null : (said ?? error),
      handedOver: all.some((one) => (rankOf(one) ?? 0) >= rankOfSent),
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

async function writeDown(client: pg.PoolClient, outcomes: Outcome[], emails: EmailAfter[]): Promise<void> {
  const events = outcomes.flatMap((outcome) => outcome.events.map((event) => ({ ...place(outcome), ...event, id: newId() })))
  await client.query({
    name: "delivery.write_down",
    text: `WITH email AS (
        UPDATE emails e SET status = g.status, error = g.error, updated_at = now(),
            sent_at = CASE WHEN g.handed_over THEN coalesce(e.sent_at, now()) ELSE e.sent_at END
          FROM json_to_recordset($1) AS g(id uuid, status text, error text, handed_over boolean) WHERE e.id = g.id
      ), attempt AS (
        INSERT INTO delivery_attempts (id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced,
            text, remote, tls, conversation, started_at, ended_at)
          SELECT id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced, text, remote, tls,
            conversation, coalesce(started_at, now()), ended_at
          FROM json_to_recordset($2) AS g(id uuid, project_id uuid, email_id uuid, delivery_id uuid, attempt int,
            outcome text, phase text, code int, enhanced text, text text, remote text, tls text, conversation text,
            started_at timestamptz, ended_at timestamptz)
      ), event AS (
        INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at)
          SELECT id, project_id, email_id, delivery_id, type, data, now() FROM json_to_recordset($3)
            AS g(id uuid, project_id uuid, email_id uuid, delivery_id uuid, type text, data jsonb)
      )
      INSERT INTO suppressions (id, project_id, email, reason, email_id, event_id, evidence)
        SELECT id, project_id, email, 'bounce', email_id, event_id, evidence FROM json_to_recordset($4)
          AS g(id uuid, project_id uuid, email text, email_id uuid, event_id uuid, evidence text)
          ORDER BY project_id, email
        ON CONFLICT DO NOTHING`,
    values: [
      JSON.stringify(emails.map(({ handedOver, ...email }) => ({ ...email, handed_over: handedOver }))),
      JSON.stringify(outcomes.flatMap(attemptValues)),
      JSON.stringify(events),
      JSON.stringify(outcomes.filter(({ suppress }) => suppress).map((outcome) => suppressionValues(outcome, events))),
    ],
  })
}

function place({ claimed }: Outcome) {
  return { project_id: claimed.projectId, email_id: claimed.emailId, delivery_id: claimed.id }
}

function attemptValues(outcome: Outcome) {
  return outcome.attempts.map(({ attempt, outcome: result, handOff, text }) => ({
    ...place(outcome),
    id: newId(),
    attempt,
    outcome: result,
    phase: handOff?.phase,
    code: handOff?.code,
    enhanced: handOff?.enhanced,
    text: handOff?.text ?? text,
    remote: handOff?.remote,
    tls: handOff?.tls,
    conversation: handOff?.conversation.join("\n"),
    started_at: handOff?.startedAt,
    ended_at: handOff?.endedAt,
  }))
}

function suppressionValues(outcome: Outcome, events: { id: string; delivery_id: string }[]) {
  return {
    ...place(outcome),
    id: newId(),
    email: outcome.claimed.canonical,
    event_id: events.find(({ delivery_id }) => delivery_id === outcome.claimed.id)?.id,
    evidence: outcome.diagnostic,
  }
}

/** Soft bounces suppress once there are so many in so many days and no delivery between them (protocol.md 19). */
async function suppressSoft(client: pg.PoolClient, outcomes: Outcome[]): Promise<void> {
  const soft = outcomes.filter(({ bounceType }) => bounceType === "soft")
  if (soft.length === 0) return
  await client.query(
    `INSERT INTO suppressions (id, project_id, email, reason, email_id, evidence)
      SELECT g.id, g.project_id, g.email, 'bounce', g.email_id, g.evidence
        FROM json_to_recordset($1) AS g(id uuid, project_id uuid, email text, email_id uuid, evidence text)
        WHERE $2 <= (
          SELECT count(*) FROM deliveries d WHERE d.project_id = g.project_id AND d.canonical = g.email
            AND d.status IN ('bounced', 'failed') AND d.bounce_type = 'soft'
            AND d.ended_at > now() - make_interval(days => $3)
            AND d.ended_at > coalesce((SELECT max(o.delivered_at) FROM deliveries o
              WHERE o.project_id = g.project_id AND o.canonical = g.email), '-infinity'))
        ORDER BY g.project_id, g.email
      ON CONFLICT DO NOTHING`,
    [JSON.stringify(soft.map((outcome) => suppressionValues(outcome, []))), softBouncesMax, softBounceDays],
  )
}
