import { setStatuses } from "@/lib/emails/events/data"
import { nextStatus, type EmailStatus } from "@/lib/delivery/queue/rules"
import type { Queryable } from "@/lib/platform/database/db"

// On `pg`, because the jobs that call these serve all projects (lib/README.md, "Data access").

/** What a reader's action needs to know of the only delivery of an email. */
export type ReadDelivery = {
  id: string
  projectId: string
  emailId: string
  topicId: string | null
  subject: string
  address: string
  canonical: string
  status: EmailStatus
  emailStatus: EmailStatus
  sentAt: Date | null
}

/** Locks deliveries and their emails, in the order of the deliveries' ids as every writer does. */
export async function lockRead(client: Queryable, ids: readonly string[]): Promise<ReadDelivery[]> {
  const { rows } = await client.query<ReadDelivery>({
    name: "delivery.lock_read",
    text: `SELECT d.id, d.project_id AS "projectId", d.email_id AS "emailId", e.topic_id AS "topicId", e.subject, d.address,
        d.canonical, d.status, e.status AS "emailStatus", coalesce(d.sent_at, d.first_attempt_at) AS "sentAt"
      FROM deliveries d JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id
      WHERE d.id = ANY ($1::uuid[]) ORDER BY d.id FOR NO KEY UPDATE OF d, e`,
    values: [ids],
  })
  return rows
}

/** A delivery that is still being sent: its worker must find it unchanged when it finishes. */
export function isUnderWay({ status }: ReadDelivery): boolean {
  return ["scheduled", "queued", "sending", "delivery_delayed"].includes(status)
}

/** Moves deliveries of all projects and their emails up to what a person or a mailbox provider did; where that leads down, nothing changes. */
export async function advance(
  client: Queryable,
  news: readonly { delivery: ReadDelivery; to: "opened" | "clicked" | "complained" }[],
): Promise<void> {
  const moved = news.filter(
    ({ delivery, to }) => !isUnderWay(delivery) && nextStatus(delivery.status, to) !== delivery.status,
  )
  if (moved.length) {
    await client.query({
      name: "delivery.advance",
      text: `UPDATE deliveries d SET status = g.status, ended_at = coalesce(d.ended_at, now()), updated_at = now()
        FROM unnest($1::uuid[], $2::text[]) AS g(id, status) WHERE d.id = g.id`,
      values: [moved.map(({ delivery }) => delivery.id), moved.map(({ to }) => to)],
    })
  }
  const emails = news.filter(
    ({ delivery, to }) => !isUnderWay(delivery) && nextStatus(delivery.emailStatus, to) !== delivery.emailStatus,
  )
  await setStatuses(
    client,
    emails.map(({ delivery: { emailId }, to }) => ({ emailId, status: to })),
  )
}
