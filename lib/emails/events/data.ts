import { uuidArray } from "@/lib/platform/database/binary-arrays"
import type { Queryable } from "@/lib/platform/database/db"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { newId } from "@/lib/platform/ids"

export type NewEvent = {
  id?: string
  emailId: string
  deliveryId?: string
  type: string
  data: Record<string, string>
}

/** Adds events of emails, which happen now; the dispatcher gives them their places in the public order. */
export async function addEvents(
  scope: InProject,
  events: readonly NewEvent[],
  on: ScopedDb = db(scope),
): Promise<void> {
  await on.event.createMany({ data: events.map((event) => ({ id: newId(), ...event })) })
}

/** Whether a recipient's email has an event of this type. */
export async function hasEvent(
  scope: InProject,
  where: { emailId: string; deliveryId: string; type: string },
  on: ScopedDb = db(scope),
): Promise<boolean> {
  return (await on.event.findFirst({ where, select: { id: true } })) !== null
}

// On `pg` from here on: the dispatcher, delivery and the job that judges opens and clicks write for all projects, many at a time
// (lib/README.md, "Data access").

/** An event with the time at which it happened, if that is not now. */
export type PastEvent = {
  id: string
  projectId: string
  emailId: string
  deliveryId: string
  type: string
  data: Record<string, string>
  occurredAt: Date | null
}

/** Adds events of all projects that happened a moment ago. */
export async function addPastEvents(client: Queryable, events: readonly PastEvent[]): Promise<void> {
  if (events.length === 0) return
  await client.query({
    name: "emails.add_past_events",
    text: addEventRows(`SELECT id, "projectId", "emailId", "deliveryId", type, data, coalesce("occurredAt", now()) FROM json_to_recordset($1)
      AS g(id uuid, "projectId" uuid, "emailId" uuid, "deliveryId" uuid, type text, data jsonb, "occurredAt" timestamptz)`),
    values: [JSON.stringify(events)],
  })
}

/** Gives emails of all projects the status of their only delivery; their rows are locked. */
export async function setStatuses(
  client: Queryable,
  emails: readonly { emailId: string; status: string }[],
): Promise<void> {
  if (emails.length === 0) return
  await client.query({
    name: "emails.set_statuses",
    text: writeStatuses("$1", "$2"),
    values: [
      JSON.stringify(emails.map(({ emailId: id, status }) => ({ id, status, error: null, relayed: false }))),
      emails.map(({ emailId }) => emailId),
    ],
  })
}

// Parts of the statements on `pg` with which delivery writes outcomes: each writes deliveries, emails and events at once.

/** Adds events; `rows` selects id, project_id, email_id, delivery_id, type, data and the time. */
export const addEventRows = (rows: string) =>
  `INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at)
        ${rows}`

/** Gives emails the status of their only delivery, which was accepted; `held` names rows with email_id and status. */
export const markAccepted = (held: string) =>
  `UPDATE emails e SET status = h.status, reason = NULL, reason_facts = NULL, sent_at = coalesce(e.sent_at, now()), updated_at = now()
      FROM ${held} h WHERE e.id = h.email_id AND e.id = ANY (ARRAY(SELECT email_id FROM ${held}))`

/** Writes the status and reason that emails have after an outcome; `emails` is JSON of them, `ids` an array of their ids. */
export const writeStatuses = (emails: string, ids: string) =>
  `UPDATE emails e SET status = g.status, reason = g.reason, reason_facts = g.reason_facts, updated_at = now(),
            sent_at = CASE WHEN g.relayed THEN coalesce(e.sent_at, now()) ELSE e.sent_at END
          FROM json_to_recordset(${emails}) AS g(id uuid, status text, reason text, reason_facts jsonb, relayed boolean)
          WHERE e.id = g.id AND e.id = ANY (${ids})`

/** Gives events their places in the public order. The dispatcher does it for all projects, in its transaction. */
export async function numberEvents(client: Queryable, events: readonly { id: string; seq: bigint }[]): Promise<void> {
  await client.query({
    name: "dispatcher.number",
    text: `UPDATE events e SET seq = given.seq FROM unnest($1::uuid[], $2::bigint[]) AS given(id, seq) WHERE e.id = given.id`,
    values: [uuidArray(events.map(({ id }) => id)), events.map(({ seq }) => String(seq))],
  })
}
