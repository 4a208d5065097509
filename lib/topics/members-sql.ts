import { sliceOf, type CursorSlice } from "@/lib/platform/http/cursor-page"
import type { CursorPosition } from "@/lib/platform/http/cursors"
import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

export type TopicContact = { contactId: string; email: string }

const ways = {
  next: { beyond: "<", order: "DESC", back: ">=" },
  previous: { beyond: ">", order: "ASC", back: "<=" },
}

/**
 * Contacts that have opted in, newest contact first. On `pg`, because it pages by key over a large table in both directions.
 */
export async function readMembers(
  scope: Scope,
  topicId: string,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<TopicContact>> {
  const { beyond, order, back } = ways[position?.direction ?? "next"]
  const { rows } = await pool().query<{ contact_id: string | null; email: string; beside: boolean }>(
    `SELECT m.contact_id, c.email, p.beside FROM (
        SELECT $3::uuid IS NOT NULL AND EXISTS (SELECT 1 FROM topic_preferences
          WHERE project_id = $1 AND topic_id = $2 AND subscription = 'opt_in' AND contact_id ${back} $3::uuid) AS beside
      ) p LEFT JOIN LATERAL (
        SELECT contact_id FROM topic_preferences
          WHERE project_id = $1 AND topic_id = $2 AND subscription = 'opt_in'
            ${position ? `AND contact_id ${beyond} $3::uuid` : ""}
          ORDER BY contact_id ${order} LIMIT $4
      ) m ON true LEFT JOIN contacts c ON c.project_id = $1 AND c.id = m.contact_id
      ORDER BY m.contact_id ${order}`,
    [scope.project.id, topicId, position?.key ?? null, size + 1],
  )
  const members = rows.flatMap(({ contact_id, email }) => (contact_id ? [{ contactId: contact_id, email }] : []))
  return sliceOf(position, size, members, rows[0]?.beside ?? false)
}
