import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

export type Audience = { kind: "top" | "seg"; id: string }

/** Sendable members: null where the project has no such topic or segment. `building` while its members are being chosen. */
export type Members = { emails: string[]; building: boolean } | null

const existence = {
  top: "SELECT false AS building FROM topics WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL",
  seg: "SELECT passed_version < filter_version AS building FROM segments WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL",
}

const membership = {
  top: "topic_preferences m WHERE m.project_id = $1 AND m.topic_id = $2 AND m.subscription = 'opt_in'",
  seg: "segment_members m WHERE m.project_id = $1 AND m.segment_id = $2 AND m.origin <> 'removed'",
}

/**
 * Up to `most` members that may be written to, in the order in which they became contacts: who opted in to the topic or
 * is in the segment, is not unsubscribed and not suppressed, and is in the topic `topicId` where one is given.
 */
export async function findSendable(
  scope: Scope,
  { kind, id }: Audience,
  topicId: string | null,
  most: number,
): Promise<Members> {
  const { rows: found } = await pool().query<{ building: boolean }>(existence[kind], [scope.project.id, id])
  if (!found[0]) return null
  const { rows } = await pool().query<{ email: string }>(
    `SELECT c.email FROM (SELECT m.contact_id FROM ${membership[kind]} ORDER BY m.contact_id) m
      JOIN contacts c ON c.project_id = $1 AND c.id = m.contact_id
      WHERE NOT c.unsubscribed
        AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.project_id = $1 AND s.email = c.email)
        AND ($4::uuid IS NULL OR topic_state($1, $4, c.id) = 'opt_in')
      ORDER BY m.contact_id LIMIT $3`,
    [scope.project.id, id, most, topicId],
  )
  return { emails: rows.map(({ email }) => email), building: found[0].building }
}

/** Whether the project has this topic. */
export async function topicExists(scope: Scope, id: string): Promise<boolean> {
  const { rowCount } = await pool().query(existence.top, [scope.project.id, id])
  return Boolean(rowCount)
}

/** The audience to which the group of this email was sent; null if it went to addresses. */
export async function findAudienceId(scope: Scope, emailId: string): Promise<string | null> {
  const { rows } = await pool().query<{ audience_id: string | null }>(
    "SELECT audience_id FROM emails WHERE project_id = $1 AND id = $2",
    [scope.project.id, emailId],
  )
  return rows[0]?.audience_id ?? null
}
