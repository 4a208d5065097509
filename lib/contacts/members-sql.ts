import type { SegmentContact } from "@/lib/contacts/schema"
import type { CursorSlice } from "@/lib/platform/http/cursor-page"
import type { CursorPosition } from "@/lib/platform/http/cursors"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { visibleMembership } from "@/lib/segments/data"
import { pageOfMembers } from "@/lib/topics/data"

const members = "segment_members WHERE project_id = $1 AND segment_id = $2 AND origin <> 'removed'"
const columns = `c.email, c.first_name AS "firstName", c.last_name AS "lastName", ARRAY(
    SELECT o.segment_id FROM segment_members o
      WHERE o.project_id = $1 AND o.contact_id = m.contact_id AND ${visibleMembership("o")} ORDER BY o.segment_id
  ) AS segments`

type Row = Omit<SegmentContact, "firstName" | "lastName"> & { firstName: string | null; lastName: string | null }

/** Members of a segment, newest contact first. */
export async function readMembers(
  scope: Scope,
  segmentId: string,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<SegmentContact>> {
  const page = await pageOfMembers<Row>(scope, { from: members, id: segmentId, columns }, position, size)
  const named = (row: Row) => ({ ...row, firstName: present(row.firstName), lastName: present(row.lastName) })
  return { ...page, rows: page.rows.map(named) }
}
