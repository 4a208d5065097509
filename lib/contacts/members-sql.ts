import type { SegmentContact } from "@/lib/contacts/schema"
import { pool } from "@/lib/platform/database/db"
import { sliceOf, type CursorSlice } from "@/lib/platform/http/cursor-page"
import type { CursorPosition } from "@/lib/platform/http/cursors"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { shown } from "@/lib/segments/shown"

const ways = {
  next: { beyond: "<", order: "DESC", back: ">=" },
  previous: { beyond: ">", order: "ASC", back: "<=" },
}

/** Members of a segment, newest contact first. On `pg`, because a segment can have a million members (keyset). */
export async function readMembers(
  scope: Scope,
  segmentId: string,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<SegmentContact>> {
  const { beyond, order, back } = ways[position?.direction ?? "next"]
  type Row = {
    contact_id: string | null
    email: string
    first_name: string | null
    last_name: string | null
    segments: string[]
    beside: boolean
  }
  const { rows } = await pool().query<Row>(
    `SELECT m.contact_id, c.email, c.first_name, c.last_name, b.beside, ARRAY(
          SELECT o.segment_id FROM segment_members o
            WHERE o.project_id = $1 AND o.contact_id = m.contact_id AND ${shown("o")} ORDER BY o.segment_id
        ) AS segments FROM (
        SELECT $3::uuid IS NOT NULL AND EXISTS (SELECT 1 FROM segment_members
          WHERE project_id = $1 AND segment_id = $2 AND contact_id ${back} $3::uuid AND origin <> 'removed') AS beside
      ) b LEFT JOIN LATERAL (
        SELECT contact_id FROM segment_members
          WHERE project_id = $1 AND segment_id = $2 AND origin <> 'removed' ${position ? `AND contact_id ${beyond} $3::uuid` : ""}
          ORDER BY contact_id ${order} LIMIT $4
      ) m ON true LEFT JOIN contacts c ON c.project_id = $1 AND c.id = m.contact_id
      ORDER BY m.contact_id ${order}`,
    [scope.project.id, segmentId, position?.key ?? null, size + 1],
  )
  const members = rows.flatMap((row) =>
    row.contact_id
      ? [
          {
            contactId: row.contact_id,
            email: row.email,
            segments: row.segments,
            firstName: present(row.first_name),
            lastName: present(row.last_name),
          },
        ]
      : [],
  )
  return sliceOf(position, size, members, rows[0]?.beside ?? false)
}
