import { topicOptOutWords } from "@/lib/explanation/words"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { findOptOuts } from "@/lib/topics/data"

export type Audience = { kind: "top" | "seg"; id: string }

/** Sendable members: null where the project has no such topic or segment. `building` while its members are being chosen. */
export type Members = { emails: string[]; building: boolean } | null

const membership = {
  top: "topic_preferences m WHERE m.project_id = $1 AND m.topic_id = $2 AND m.subscription = 'opt_in'",
  seg: "segment_members m WHERE m.project_id = $1 AND m.segment_id = $2 AND m.origin <> 'removed'",
}

/**
 * Up to `most` members that may be written to, in the order in which they became contacts: who opted in to the topic or
 * is in the segment, is not unsubscribed and not suppressed, and is in the topic `topicId` where one is given. On `pg`,
 * because it is part of accepting a send.
 */
export async function findSendable(
  scope: Scope,
  { kind, id }: Audience,
  topicId: string | null,
  most: number,
): Promise<Members> {
  const building = await isBuilding(scope, { kind, id })
  if (building === null) return null
  const { rows } = await pool().query<{ email: string }>(
    `SELECT c.email FROM (SELECT m.contact_id FROM ${membership[kind]} ORDER BY m.contact_id) m
      JOIN contacts c ON c.project_id = $1 AND c.id = m.contact_id
      WHERE NOT c.unsubscribed
        AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.project_id = $1 AND s.email = c.email)
        AND ($4::uuid IS NULL OR topic_state($1, $4, c.id) = 'opt_in')
      ORDER BY m.contact_id LIMIT $3`,
    [scope.project.id, id, most, topicId],
  )
  return { emails: rows.map(({ email }) => email), building }
}

/** Whether the members of an audience are being chosen; null where the project does not have it. */
async function isBuilding(scope: Scope, { kind, id }: Audience): Promise<boolean | null> {
  if (kind === "top") return (await topicExists(scope, id)) ? false : null
  const select = { passedVersion: true, filterVersion: true }
  const segment = await db(scope).segment.findUnique({ where: { id, deletedAt: null }, select })
  return segment && segment.passedVersion < segment.filterVersion
}

export async function topicExists(scope: Scope, id: string): Promise<boolean> {
  return (await db(scope).topic.count({ where: { id, deletedAt: null } })) > 0
}

/** Which of these canonical addresses are out of the topic, and the sentence that says so. */
export async function findOptedOut(
  { project: { id: projectId } }: Scope,
  topicId: string,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const optOuts = await findOptOuts(addresses.map((canonical) => ({ projectId, topicId, canonical })))
  return new Map(
    addresses.flatMap((canonical, at) => {
      const optOut = optOuts[at]
      return optOut ? [[canonical, topicOptOutWords(optOut)] as const] : []
    }),
  )
}
