import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import type { Reason } from "@/lib/explanation/codes"
import { pool } from "@/lib/platform/database/db"
import { findOptOuts } from "@/lib/topics/data"
import { topicOptOut } from "@/lib/topics/rules"

// On `pg`, because the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

/** Why nothing is sent: what suppressed the delivery, and the reason of the email. */
export type Suppressed = { by: string; reason: Reason<"suppressed" | "topic_opt_out"> }

/** Those deliveries, by id, whose recipient is on the project's suppression list now. */
export async function findSuppressed(claimed: readonly Claimed[]): Promise<Map<string, Suppressed>> {
  const { rows } = await pool().query<{ id: string; reason: string }>({
    name: "delivery.find_suppressed",
    text: `SELECT d.id, s.reason FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS d(id, project_id, canonical)
      JOIN suppressions s ON s.project_id = d.project_id AND s.email = d.canonical`,
    values: [
      claimed.map(({ id }) => id),
      claimed.map(({ projectId }) => projectId),
      claimed.map(({ canonical }) => canonical),
    ],
  })
  return new Map(rows.map(({ id, reason }) => [id, { by: reason, reason: { code: "suppressed", facts: {} } }]))
}

/** Those deliveries, by id, whose recipient is out of the topic of their message now. */
export async function findOptedOut(
  claimed: readonly { claimed: Claimed; topicId: string }[],
): Promise<Map<string, Suppressed>> {
  const optOuts = await findOptOuts(claimed.map(({ claimed, topicId }) => ({ ...claimed, topicId })))
  return new Map(
    claimed.flatMap(({ claimed: { id } }, at) => {
      const facts = optOuts[at]
      return facts ? [[id, { by: topicOptOut, reason: { code: "topic_opt_out", facts } }] as const] : []
    }),
  )
}

/** Why nothing may be sent for a delivery, as `accept_emails` decides it; NULL where it may. */
export function suppressedBy(delivery: string, topicId: string): string {
  return `coalesce(
    (SELECT s.reason FROM suppressions s WHERE s.project_id = ${delivery}.project_id AND s.email = ${delivery}.canonical),
    CASE WHEN ${topicId} IS NOT NULL AND left_topic(${delivery}.project_id, ${topicId}, ${delivery}.canonical)
      THEN '${topicOptOut}' END)`
}
