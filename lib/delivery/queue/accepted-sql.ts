import { intArray, jsonbArray, textArray, timeArray, uuidArray } from "@/lib/platform/database/binary-arrays"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Outcome } from "@/lib/delivery/queue/outcome"
import { addEventRows, markAccepted } from "@/lib/emails/events/data"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

// On `pg`, because the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

/** The outcome of nearly every mail: the server of its only recipient accepted it. */
export type Accepted = Outcome & { attempts: [{ number: number; outcome: "accepted"; attempt: DeliveryAttempt }] }

export function isAccepted(outcome: Outcome): outcome is Accepted {
  const { alone, status, attempts } = outcome
  const [first] = attempts
  if (!alone || attempts.length !== 1 || !first?.attempt) return false
  return first.outcome === "accepted" && (status === "sent" || status === "delivered")
}

/**
 * Writes acceptances in one statement and one commit: delivery, email, attempt and events. Returns the ids of the
 * deliveries that were still held; the others, lost to another worker or already ended, are left unchanged.
 */
export async function finishAccepted(outcomes: readonly Accepted[]): Promise<Set<string>> {
  // In the order of their ids, as every writer locks them.
  const sorted = outcomes.toSorted((one, other) => (one.claimed.id < other.claimed.id ? -1 : 1))
  const made = sorted.map(({ attempts: [{ attempt }] }) => attempt)
  const events = sorted.flatMap(({ events: of }, at) => of.map((event) => ({ ...event, place: at + 1 })))
  const { rows } = await pool().query<{ id: string }>({
    name: "delivery.accepted",
    text: statement,
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
    ],
  })
  return new Set(rows.map(({ id }) => id))
}

const statement = `WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[], $4::uuid[], $5::int[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[], $17::int[]) WITH ORDINALITY
      AS g(id, attempt, status, attempt_id, code, enhanced, text, remote, tls, conversation, started_at, ended_at, is_open, place)
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
        remote, tls, conversation, started_at, ended_at)
      SELECT attempt_id, project_id, email_id, id, attempt, 'accepted', 'final', code, enhanced, text, remote, tls,
        conversation, started_at, ended_at FROM held
  ), event AS (
    ${addEventRows(`SELECT v.id, h.project_id, h.email_id, h.id, v.type, v.data, now()
        FROM unnest($13::uuid[], $14::int[], $15::text[], $16::jsonb[]) AS v(id, place, type, data)
        JOIN held h USING (place)`)}
  )
  SELECT id FROM held`
