import type { Subscription } from "@/lib/consent/rules"
import { pool } from "@/lib/platform/database/db"
import { prepared } from "@/lib/platform/database/prepared"
import { sliceOf, type CursorSlice } from "@/lib/platform/http/cursor-page"
import type { CursorPosition } from "@/lib/platform/http/cursors"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import type { TopicContact } from "@/lib/topics/schema"

const ways = {
  next: { beyond: "<", order: "DESC", back: ">=" },
  previous: { beyond: ">", order: "ASC", back: "<=" },
}

/** `from`: rows of one contact each, of the project $1 and of `id`, which is $2. `columns`: what is read of the contact c. */
type Members = { from: string; id: string; columns: string }

/**
 * A page of contacts, newest first. On `pg`, because it pages by key over a large table in both directions; `from` names the
 * project.
 */
export async function pageOfMembers<Row extends { contactId: string }>(
  scope: Scope,
  { from, id, columns }: Members,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<Row>> {
  const { beyond, order, back } = ways[position?.direction ?? "next"]
  const { rows } = await pool().query<{ beside: boolean } & (Row | { contactId: null })>(
    prepared(
      `SELECT m.contact_id AS "contactId", p.beside, ${columns} FROM (
        SELECT $3::uuid IS NOT NULL AND EXISTS (SELECT 1 FROM ${from} AND contact_id ${back} $3::uuid) AS beside
      ) p LEFT JOIN LATERAL (
        SELECT contact_id FROM ${from} ${position ? `AND contact_id ${beyond} $3::uuid` : ""}
          ORDER BY contact_id ${order} LIMIT ${size + 1}
      ) m ON true LEFT JOIN contacts c ON c.project_id = $1 AND c.id = m.contact_id
      ORDER BY m.contact_id ${order}`,
      [scope.project.id, id, position?.key ?? null],
    ),
  )
  const members = rows.flatMap(({ beside: _, ...row }) => (row.contactId === null ? [] : [row as unknown as Row]))
  return sliceOf(position, size, members, rows[0]?.beside ?? false)
}

const columns = `c.email, c.first_name AS "firstName", c.last_name AS "lastName", (
    SELECT p.updated_at FROM topic_preferences p
      WHERE p.project_id = $1 AND p.topic_id = $2 AND p.contact_id = m.contact_id
  ) AS since`

type Row = Omit<TopicContact, "firstName" | "lastName"> & { firstName: string | null; lastName: string | null }

/** In the text of the statement, because each has an index of its own. */
const chosen: Record<Subscription, string> = {
  opt_in: "topic_preferences WHERE project_id = $1 AND topic_id = $2 AND subscription = 'opt_in'",
  opt_out: "topic_preferences WHERE project_id = $1 AND topic_id = $2 AND subscription = 'opt_out'",
}

/** Contacts that have opted in, or out, themselves. */
export async function readMembers(
  scope: Scope,
  { topicId, subscription }: { topicId: string; subscription: Subscription },
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<TopicContact>> {
  const members = { from: chosen[subscription], id: topicId, columns }
  const page = await pageOfMembers<Row>(scope, members, position, size)
  const named = (row: Row) => ({ ...row, firstName: present(row.firstName), lastName: present(row.lastName) })
  return { ...page, rows: page.rows.map(named) }
}
