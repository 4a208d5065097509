import type pg from "pg"
import { suppressBounced } from "@/lib/consent/data"
import type { ClaimOutcome } from "@/lib/delivery/queue/outcome"
import { aggregateStatus, type EmailStatus, rankOf, statusAfter } from "@/lib/delivery/queue/rules"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { softBounceDays, softBouncesMax } from "@/lib/delivery/transports/classify"
import { addEventRows, markAccepted, writeStatuses } from "@/lib/emails/data"
import { type Reason, reasonIn, type StoredReason } from "@/lib/explanation/codes"
import { intArray, jsonbArray, textArray, timeArray, uuidArray } from "@/lib/platform/database/binary-arrays"
import { pool, transaction } from "@/lib/platform/database/db"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { newId } from "@/lib/platform/ids"
import { batchWrites, untilWritten } from "@/lib/platform/jobs/batches"
import { log } from "@/lib/platform/log"

// On `pg`: the delivery loop writes these for every message or group of all projects (lib/README.md, "Data access").

/**
 * Writes an outcome, batched with others that end at the same time; false if the delivery was lost to another worker,
 * whose outcome then counts. A lost acceptance would be sent twice: so this retries while the database takes no writes,
 * and writes an outcome that the database refuses once more without the texts that came from outside.
 */
export async function finishDelivery(outcome: ClaimOutcome, signal: AbortSignal): Promise<boolean> {
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

async function writeOnce(outcome: ClaimOutcome): Promise<boolean> {
  return (isAccepted(outcome) && (await finishAcceptedBatched(outcome))) || finishBatched(outcome)
}

const unstorable = "The server's reply could not be stored."

/** The same outcome without texts from outside, for when the database refuses them: losing the texts beats losing the outcome. */
function withoutTexts(outcome: ClaimOutcome): ClaimOutcome {
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
  async (outcomes: AcceptedOutcome[]) => {
    const held = await finishAccepted(outcomes)
    return outcomes.map(({ claimed }) => held.has(claimed.id))
  },
  { max: 200, spacingMs: 50 },
)

const finishBatched = batchWrites(finishBatch, { max: 200, spacingMs: 50 })

/** One transaction. Locks deliveries first, then emails, both in the order of their ids, as every writer does. */
async function finishBatch(outcomes: ClaimOutcome[]): Promise<boolean[]> {
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
async function updateDeliveries(client: pg.PoolClient, outcomes: ClaimOutcome[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: "delivery.finish",
    text: `WITH given AS MATERIALIZED (
        SELECT * FROM json_to_recordset($1) AS g(id uuid, attempt int, status text, due_in float8, is_open boolean, counts boolean,
          unfinished int, bounce_type text, bounce_code text, diagnostic text,
          suppressed_by text, reason text, reason_facts jsonb, queue int)
      ), held AS MATERIALIZED (
        -- Locked one by one in the given order, which is that of the ids. Without an unfinished claim this outcome is written
        -- already, and the answer to that was lost.
        SELECT h.id FROM given g, LATERAL (SELECT d.id FROM deliveries d WHERE d.id = g.id AND d.attempt = g.attempt
          AND d.status IN ('sending', 'delivery_delayed') AND d.unfinished > 0 FOR UPDATE) h
      )
      UPDATE deliveries d SET status = g.status, due_at = now() + make_interval(secs => g.due_in),
          queue_id = coalesce(g.queue, d.queue_id), attempt_count = d.attempt_count + g.counts::int, unfinished = g.unfinished,
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

function deliveryValues(outcome: ClaimOutcome) {
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
    queue: outcome.queue,
  }
}

/**
 * The emails afterwards, of all projects. Their row locks make deliveries of one email that end together see each other. A
 * bounce is final, unless it is taken back (`fromBounced`).
 */
export async function emailsAfter(
  client: pg.PoolClient,
  outcomes: ClaimOutcome[],
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
      status: fromBounced && status === "bounced" ? aggregateStatus(all) : statusAfter(status, aggregateStatus(all)),
      reason: allLeft ? null : (latest ?? reasonIn(stored)),
      relayed: all.some((one) => (rankOf(one) ?? 0) >= rankOfSent),
    }
  })
}

const rankOfSent = rankOf("sent") ?? 0

async function deliveryStatuses(client: pg.PoolClient, outcomes: ClaimOutcome[]): Promise<Map<string, EmailStatus[]>> {
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

/** The outcome of nearly every mail: the server of its only recipient accepted it. */
type AcceptedOutcome = ClaimOutcome & { attempts: [{ number: number; outcome: "accepted"; attempt: DeliveryAttempt }] }

function isAccepted(outcome: ClaimOutcome): outcome is AcceptedOutcome {
  const { alone, status, attempts } = outcome
  const [first] = attempts
  if (!alone || attempts.length !== 1 || !first?.attempt) return false
  return first.outcome === "accepted" && (status === "sent" || status === "delivered")
}

/**
 * Writes acceptances in one statement and one commit: delivery, email, attempt and events. Returns the ids of the
 * deliveries that were still held; the others, lost to another worker or already ended, are left unchanged.
 */
async function finishAccepted(outcomes: readonly AcceptedOutcome[]): Promise<Set<string>> {
  // In the order of their ids, as every writer locks them.
  const sorted = outcomes.toSorted((one, other) => (one.claimed.id < other.claimed.id ? -1 : 1))
  const made = sorted.map(({ attempts: [{ attempt }] }) => attempt)
  const events = sorted.flatMap(({ events: of }, at) => of.map((event) => ({ ...event, place: at + 1 })))
  const { rows } = await pool().query<{ id: string }>({
    name: "delivery.accepted",
    text: acceptedStatement,
    values: [
      uuidArray(sorted.map(({ claimed }) => claimed.id)),
      intArray(sorted.map(({ claimed }) => claimed.attempt)),
      textArray(sorted.map(({ status }) => status)),
      uuidArray(sorted.map(newId)),
      intArray(made.map(({ code }) => code)),
      textArray(made.map(({ enhanced }) => enhanced)),
      textArray(made.map(({ text }) => text)),
      textArray(made.map(({ remote }) => remote)),
      textArray(made.map(({ tls }) => tls)),
      textArray(made.map(({ conversation }) => conversation.join("\n"))),
      timeArray(made.map(({ startedAt }) => startedAt)),
      timeArray(made.map(({ endedAt }) => endedAt)),
      uuidArray(events.map(newId)),
      intArray(events.map(({ place }) => place)),
      textArray(events.map(({ type }) => type)),
      jsonbArray(events.map(({ data }) => JSON.stringify(data))),
      intArray(sorted.map(({ isOpen }) => Number(isOpen))),
      textArray(made.map(({ security }) => security?.level)),
      textArray(made.map(({ security }) => security?.policy)),
      textArray(made.map(sourceOf)),
      textArray(made.map((attempt) => (sourceOf(attempt) === undefined ? undefined : attempt.ehloName))),
    ],
  })
  return new Set(rows.map(({ id }) => id))
}

const acceptedStatement = `WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[], $4::uuid[], $5::int[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[], $17::int[], $18::text[], $19::text[],
        $20::text[], $21::text[]) WITH ORDINALITY
      AS g(id, attempt, status, attempt_id, code, enhanced, text, remote, tls, conversation, started_at, ended_at, is_open,
        tls_level, tls_policy, source, ehlo_name, place)
  ), held AS MATERIALIZED (
    -- Locked one by one in the given order.
    SELECT g.*, h.project_id, h.email_id FROM given g, LATERAL (
      SELECT d.project_id, d.email_id FROM deliveries d JOIN emails e ON e.id = d.email_id
        WHERE d.id = g.id AND d.attempt = g.attempt AND d.status IN ('sending', 'delivery_delayed')
          AND e.status IN ('queued', 'sending', 'delivery_delayed')
        FOR NO KEY UPDATE OF d, e) h
  ), delivery AS (
    UPDATE deliveries d SET status = h.status, due_at = NULL, attempt_count = d.attempt_count + 1, unfinished = 0, data_attempt = NULL,
        sent_at = now(),
        delivered_at = CASE WHEN h.status = 'delivered' THEN now() ELSE d.delivered_at END,
        ended_at = CASE WHEN h.is_open = 0 THEN now() END,
        bounce_type = NULL, bounce_code = NULL, diagnostic = NULL, reason = NULL, reason_facts = NULL, updated_at = now()
      FROM held h WHERE d.id = h.id AND d.id = ANY (ARRAY(SELECT id FROM held))
  ), email AS (
    ${markAccepted("held")}
  ), attempt AS (
    INSERT INTO delivery_attempts (id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced, text,
        remote, tls, tls_level, tls_policy, source, ehlo_name, conversation, started_at, ended_at)
      SELECT attempt_id, project_id, email_id, id, attempt, 'accepted', 'final', code, enhanced, text, remote, tls,
        tls_level, tls_policy, source, ehlo_name, conversation, started_at, ended_at FROM held
  ), event AS (
    ${addEventRows(`SELECT v.id, h.project_id, h.email_id, h.id, v.type, v.data, now()
        FROM unnest($13::uuid[], $14::int[], $15::text[], $16::jsonb[]) AS v(id, place, type, data)
        JOIN held h USING (place)`)}
  )
  SELECT id FROM held`

/** The state of an email after an outcome. */
type EmailAfter = { id: string; status: EmailStatus; reason: Reason | null; relayed: boolean }

/** Writes attempts, events, suppressions and the emails' new states in one statement. */
export async function recordOutcomes(
  client: pg.PoolClient,
  outcomes: ClaimOutcome[],
  emails: EmailAfter[],
): Promise<void> {
  const events = outcomes.flatMap((outcome) =>
    outcome.events.map((event) => ({ ...place(outcome), ...event, id: newId() })),
  )
  await client.query({
    name: "delivery.write_down",
    text: `WITH email AS (
        ${writeStatuses("$1", "$5")}
      ), attempt AS (
        INSERT INTO delivery_attempts (id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced,
            text, remote, tls, tls_level, tls_policy, source, ehlo_name, conversation, started_at, ended_at)
          SELECT id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced, text, remote, tls,
            tls_level, tls_policy, source, ehlo_name, conversation, coalesce(started_at, now()), ended_at
          FROM json_to_recordset($2) AS g(id uuid, project_id uuid, email_id uuid, delivery_id uuid, attempt int,
            outcome text, phase text, code int, enhanced text, text text, remote text, tls text, tls_level text, tls_policy text,
            source text, ehlo_name text, conversation text, started_at timestamptz, ended_at timestamptz)
      ), event AS (
        ${addEventRows(`SELECT id, project_id, email_id, delivery_id, type, data, now() FROM json_to_recordset($3)
            AS g(id uuid, project_id uuid, email_id uuid, delivery_id uuid, type text, data jsonb)`)}
      )
      ${suppressBounced(`SELECT * FROM json_to_recordset($4)
        AS g(id uuid, project_id uuid, email text, email_id uuid, event_id uuid, evidence text)`)}`,
    values: [
      JSON.stringify(emails.map(emailValues)),
      JSON.stringify(outcomes.flatMap(attemptValues)),
      JSON.stringify(events),
      JSON.stringify(outcomes.filter(({ suppress }) => suppress).map((outcome) => suppressionValues(outcome, events))),
      // The ids a second time: by them the planner knows how few rows there are.
      emails.map(({ id }) => id),
    ],
  })
}

function place({ claimed }: ClaimOutcome) {
  return { project_id: claimed.projectId, email_id: claimed.emailId, delivery_id: claimed.id }
}

function emailValues({ reason, ...email }: EmailAfter) {
  return { ...email, reason: reason?.code, reason_facts: reason?.facts }
}

function attemptValues(outcome: ClaimOutcome) {
  return outcome.attempts.map(({ number, outcome: result, attempt, text }) => ({
    ...place(outcome),
    id: newId(),
    attempt: number,
    outcome: result,
    phase: attempt?.phase,
    code: attempt?.code,
    enhanced: attempt?.enhanced,
    text: attempt?.text ?? text,
    remote: attempt?.remote,
    tls: attempt?.tls,
    tls_level: attempt?.security?.level,
    tls_policy: attempt?.security?.policy,
    source: attempt && sourceOf(attempt),
    ehlo_name: attempt && sourceOf(attempt) && attempt.ehloName,
    conversation: attempt?.conversation.join("\n"),
    started_at: attempt?.startedAt,
    ended_at: attempt?.endedAt,
  }))
}

/** Behind a relay it is an address of the operator's network, which says nothing about the mail. */
function sourceOf({ security, source }: DeliveryAttempt): string | undefined {
  return security && source
}

function suppressionValues(outcome: ClaimOutcome, events: { id: string; delivery_id: string }[]) {
  return {
    ...place(outcome),
    id: newId(),
    email: outcome.claimed.canonical,
    event_id: events.find(({ delivery_id }) => delivery_id === outcome.claimed.id)?.id,
    evidence: outcome.diagnostic,
  }
}

/** The last delivery to an address is searched for among this many of its emails. */
const latestMax = 1_000

/** Soft bounces suppress once there are so many in so many days and no delivery, or acceptance by a relay that reports none, since the first of these. */
export async function suppressSoft(client: pg.PoolClient, outcomes: ClaimOutcome[]): Promise<void> {
  const soft = outcomes.filter(({ bounceType }) => bounceType === "soft")
  if (soft.length === 0) return
  await client.query(
    suppressBounced(`SELECT g.id, g.project_id, g.email, g.email_id, NULL::uuid AS event_id, g.evidence
        FROM json_to_recordset($1) AS g(id uuid, project_id uuid, email text, email_id uuid, evidence text),
        LATERAL (SELECT d.ended_at FROM deliveries d WHERE d.project_id = g.project_id AND d.canonical = g.email
          AND d.bounce_type = 'soft' AND d.status IN ('bounced', 'failed') AND d.ended_at > now() - make_interval(days => $3)
          ORDER BY d.ended_at DESC OFFSET $2::int - 1 LIMIT 1) earliest
        WHERE NOT EXISTS (SELECT 1 FROM (
            SELECT coalesce(o.delivered_at, CASE WHEN o.status IN ('sent', 'opened', 'clicked', 'complained') THEN o.ended_at END)
                AS reached_at FROM deliveries o WHERE o.project_id = g.project_id AND o.canonical = g.email
              ORDER BY o.email_id DESC LIMIT ${latestMax}) latest
          WHERE latest.reached_at >= earliest.ended_at)`),
    [JSON.stringify(soft.map((outcome) => suppressionValues(outcome, []))), softBouncesMax, softBounceDays],
  )
}
