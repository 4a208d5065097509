import { addEventRows } from "@/lib/emails/outcome-sql"
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

/** Gives emails the status of their only delivery; their rows are locked. */
export async function setStatuses(
  client: Queryable,
  emails: readonly { projectId: string; emailId: string; status: string }[],
): Promise<void> {
  if (emails.length === 0) return
  await client.query({
    name: "emails.set_statuses",
    text: `UPDATE emails e SET status = g.status, error = NULL, updated_at = now()
      FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS g(project_id, id, status)
      WHERE e.project_id = g.project_id AND e.id = g.id`,
    values: [
      emails.map(({ projectId }) => projectId),
      emails.map(({ emailId }) => emailId),
      emails.map(({ status }) => status),
    ],
  })
}
