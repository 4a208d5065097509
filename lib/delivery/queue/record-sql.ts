import type pg from "pg"
import { suppressBounced } from "@/lib/consent/suppressions-sql"
import { softBounceDays, softBouncesMax } from "@/lib/delivery/transports/classify"
import type { Outcome } from "@/lib/delivery/queue/outcome"
import type { EmailStatus } from "@/lib/delivery/queue/rules"
import { addEventRows, writeStatuses } from "@/lib/emails/events/data"
import type { Reason } from "@/lib/explanation/codes"
import { newId } from "@/lib/platform/ids"

// On `pg`, because the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

/** The state of an email after an outcome. */
export type EmailAfter = { id: string; status: EmailStatus; reason: Reason | null; relayed: boolean }

/** Writes attempts, events, suppressions and the emails' new states in one statement. */
export async function recordOutcomes(client: pg.PoolClient, outcomes: Outcome[], emails: EmailAfter[]): Promise<void> {
  const events = outcomes.flatMap((outcome) =>
    outcome.events.map((event) => ({ ...place(outcome), ...event, id: newId() })),
  )
  await client.query({
    name: "delivery.write_down",
    text: `WITH email AS (
        ${writeStatuses("$1", "$5")}
      ), attempt AS (
        INSERT INTO delivery_attempts (id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced,
            text, remote, tls, conversation, started_at, ended_at)
          SELECT id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced, text, remote, tls,
            conversation, coalesce(started_at, now()), ended_at
          FROM json_to_recordset($2) AS g(id uuid, project_id uuid, email_id uuid, delivery_id uuid, attempt int,
            outcome text, phase text, code int, enhanced text, text text, remote text, tls text, conversation text,
            started_at timestamptz, ended_at timestamptz)
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

function place({ claimed }: Outcome) {
  return { project_id: claimed.projectId, email_id: claimed.emailId, delivery_id: claimed.id }
}

function emailValues({ reason, ...email }: EmailAfter) {
  return { ...email, reason: reason?.code, reason_facts: reason?.facts }
}

function attemptValues(outcome: Outcome) {
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
    conversation: attempt?.conversation.join("\n"),
    started_at: attempt?.startedAt,
    ended_at: attempt?.endedAt,
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

/** The last delivery to an address is searched for among this many of its emails. */
const latestMax = 1_000

/** Soft bounces suppress once there are so many in so many days and no delivery, or acceptance by a relay that reports none, since the first of these. */
export async function suppressSoft(client: pg.PoolClient, outcomes: Outcome[]): Promise<void> {
  const soft = outcomes.filter(({ bounceType }) => bounceType === "soft")
  if (soft.length === 0) return
  await client.query(
    suppressBounced(`SELECT g.id, g.project_id, g.email, g.email_id, NULL::uuid AS event_id, g.evidence
        FROM json_to_recordset($1) AS g(id uuid, project_id uuid, email text, email_id uuid, evidence text),
        LATERAL (SELECT d.ended_at FROM deliveries d WHERE d.project_id = g.project_id AND d.canonical = g.email
          AND d.bounce_type = 'soft' AND d.status IN ('bounced', 'failed') AND d.ended_at > now() - make_interval(days => $3)
          ORDER BY d.ended_at DESC OFFSET $2::int - 1 LIMIT 1) earliest
        WHERE NOT EXISTS (SELECT 1 FROM (
            SELECT coalesce(o.delivered_at, CASE WHEN o.status = 'sent' THEN o.ended_at END) AS reached_at FROM deliveries o WHERE o.project_id = g.project_id AND o.canonical = g.email
              ORDER BY o.email_id DESC LIMIT ${latestMax}) latest
          WHERE latest.reached_at >= earliest.ended_at)`),
    [JSON.stringify(soft.map((outcome) => suppressionValues(outcome, []))), softBouncesMax, softBounceDays],
  )
}
