import { sliceOf, type CursorSlice } from "@/lib/platform/http/cursor-page"
import type { CursorPosition } from "@/lib/platform/http/cursors"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { FOREIGN_KEY_VIOLATION, sqlState } from "@/lib/platform/database/sql-errors"
import { addActivity } from "@/lib/contacts/activity-store"
import type { SegmentContact } from "@/lib/contacts/schema"
import { shown } from "@/lib/segments/shown"

export async function segmentsOf(scope: Scope, contactId: string): Promise<string[]> {
  const { rows } = await pool().query<{ segment_id: string }>(
    `SELECT m.segment_id FROM segment_members m WHERE m.project_id = $1 AND m.contact_id = $2 AND ${shown("m")}
      ORDER BY m.segment_id`,
    [scope.project.id, contactId],
  )
  return rows.map(({ segment_id }) => segment_id)
}

export type SegmentName = { id: string; name: string; filtered: boolean }

/** Those of the ids that name segments of the project, by id. */
export async function existingSegments(
  projectId: string,
  ids: readonly string[],
  on: Queryable = pool(),
): Promise<Map<string, SegmentName>> {
  if (!ids.length) return new Map()
  const { rows } = await on.query<SegmentName>(
    "SELECT id, name, filter IS NOT NULL AS filtered FROM segments WHERE project_id = $1 AND id = ANY ($2) AND deleted_at IS NULL",
    [projectId, ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Puts a contact into segments by hand, which holds against any filter. Where it was put already, nothing changes. */
export async function joinSegments(
  on: Queryable,
  projectId: string,
  contactId: string,
  segments: readonly SegmentName[],
): Promise<void> {
  if (!segments.length) return
  const { rows } = await on.query<{ segment_id: string }>(
    `INSERT INTO segment_members AS m (project_id, segment_id, contact_id, origin)
      SELECT $1, id, $2, 'added' FROM unnest($3::uuid[]) AS id ORDER BY id
      ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = 'added',
          created_at = CASE WHEN m.origin = 'removed' THEN now() ELSE m.created_at END
        WHERE m.origin <> 'added'
      RETURNING segment_id`,
    [projectId, contactId, segments.map(({ id }) => id)],
  )
  const joined = new Set(rows.map(({ segment_id }) => segment_id))
  for (const { id, name } of segments.filter((segment) => joined.has(segment.id))) {
    await addActivity(on, projectId, contactId, { type: "segment_added", referenceId: id, referenceName: name })
  }
}

/** As `joinSegments`, by itself; false when contact or segment went away meanwhile. */
export function addMember(scope: Scope, contactId: string, segment: SegmentName): Promise<boolean> {
  return whileBothStand((client) => joinSegments(client, scope.project.id, contactId, [segment]))
}

/** Runs `work` in a transaction; false when it points at what went away meanwhile. */
async function whileBothStand(work: (client: Queryable) => Promise<void>): Promise<boolean> {
  try {
    await transaction(work)
    return true
  } catch (error) {
    if (sqlState(error) === FOREIGN_KEY_VIOLATION) return false
    throw error
  }
}

/**
 * Takes a contact out of a segment by hand. Where a filter rules, that is remembered, and holds against it. False when
 * contact or segment went away meanwhile.
 */
export function removeMember(scope: Scope, contactId: string, segment: SegmentName): Promise<boolean> {
  const values = [scope.project.id, segment.id, contactId]
  return whileBothStand(async (client) => {
    const { rows } = segment.filtered
      ? await client.query<{ left: boolean }>(
          `WITH before AS (
              SELECT origin FROM segment_members WHERE project_id = $1 AND segment_id = $2 AND contact_id = $3
            ), written AS (
              INSERT INTO segment_members AS m (project_id, segment_id, contact_id, origin) VALUES ($1, $2, $3, 'removed')
                ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = 'removed', created_at = now()
                  WHERE m.origin <> 'removed' RETURNING 1
            )
            SELECT EXISTS (SELECT 1 FROM before) AS left FROM written`,
          values,
        )
      : await client.query<{ left: boolean }>(
          `DELETE FROM segment_members WHERE project_id = $1 AND segment_id = $2 AND contact_id = $3
            RETURNING origin <> 'removed' AS left`,
          values,
        )
    if (!rows[0]?.left) return
    const happening = { type: "segment_removed", referenceId: segment.id, referenceName: segment.name }
    await addActivity(client, scope.project.id, contactId, happening)
  })
}

const ways = {
  next: { beyond: "<", order: "DESC", back: ">=" },
  previous: { beyond: ">", order: "ASC", back: "<=" },
}

/** Members of a segment, newest contact first. */
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
