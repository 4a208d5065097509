import { addEventRows, writeStatuses } from "@/lib/emails/outcome-sql"
import type { Queryable } from "@/lib/platform/database/db"

// On `pg`, because the job that judges opens and clicks serves all projects, many at a time (lib/README.md, "Data access").

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
