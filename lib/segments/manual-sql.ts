import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import { shown } from "@/lib/segments/shown"
import { Prisma } from "@/prisma/generated/client"

/** The segments of a contact. Raw, because which memberships are visible is said in SQL, once. */
export async function segmentsOf(scope: Scope, contactId: string): Promise<string[]> {
  const { rows } = await pool().query<{ segment_id: string }>(
    `SELECT m.segment_id FROM segment_members m WHERE m.project_id = $1 AND m.contact_id = $2 AND ${shown("m")}
      ORDER BY m.segment_id`,
    [scope.project.id, contactId],
  )
  return rows.map(({ segment_id }) => segment_id)
}

export type SegmentName = { id: string; name: string; filtered: boolean }

/** Those of the ids that name segments of the project, by id. Raw, because a filter may be large and is not needed. */
export async function existingSegments(projectId: string, ids: readonly string[]): Promise<Map<string, SegmentName>> {
  if (!ids.length) return new Map()
  const rows = await rowsOf<SegmentName>(
    pool(),
    Prisma.sql`SELECT id, name, filter IS NOT NULL AS filtered FROM segments
      WHERE project_id = ${projectId}::uuid AND id = ANY (${ids}::uuid[]) AND deleted_at IS NULL`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Adds a contact to segments manually, which overrides any filter; answers those that it joined. Raw, because Prisma has
 * no conditional upsert.
 */
export async function join(
  projectId: string,
  contactId: string,
  segmentIds: readonly string[],
  on: Connection,
): Promise<Set<string>> {
  const rows = await rowsOf<{ id: string }>(
    on,
    Prisma.sql`INSERT INTO segment_members AS m (project_id, segment_id, contact_id, origin)
      SELECT ${projectId}::uuid, id, ${contactId}::uuid, 'added' FROM unnest(${segmentIds}::uuid[]) AS id ORDER BY id
      ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = 'added',
          created_at = CASE WHEN m.origin = 'removed' THEN now() ELSE m.created_at END
        WHERE m.origin <> 'added'
      RETURNING segment_id AS id`,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Adds contacts to a segment manually; does nothing when it has been deleted meanwhile. Raw, because imports write on `pg`
 * and Prisma has no set-based upsert.
 */
export async function joinAll(
  projectId: string,
  segmentId: string,
  contactIds: readonly string[],
  on: Connection,
): Promise<void> {
  await rowsOf(
    on,
    Prisma.sql`INSERT INTO segment_members AS m (project_id, segment_id, contact_id, origin)
      SELECT ${projectId}::uuid, s.id, given.id, 'added' FROM unnest(${contactIds}::uuid[]) AS given(id),
          (SELECT id FROM segments WHERE project_id = ${projectId}::uuid AND id = ${segmentId}::uuid AND deleted_at IS NULL
            FOR KEY SHARE) s
        ORDER BY given.id
      ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = 'added' WHERE m.origin <> 'added'`,
  )
}

/**
 * Removes a contact from a segment manually. If the segment has a filter, the removal is stored, because it overrides the
 * filter. Raw, because Prisma has no conditional upsert.
 * @returns whether the contact was a member
 */
export async function leave(
  projectId: string,
  contactId: string,
  segment: SegmentName,
  on: Connection,
): Promise<boolean> {
  const one = Prisma.sql`project_id = ${projectId}::uuid AND segment_id = ${segment.id}::uuid AND contact_id = ${contactId}::uuid`
  const [row] = await rowsOf<{ left: boolean }>(
    on,
    segment.filtered
      ? Prisma.sql`WITH before AS (
            SELECT origin FROM segment_members WHERE ${one}
          ), written AS (
            INSERT INTO segment_members AS m (project_id, segment_id, contact_id, origin)
              VALUES (${projectId}::uuid, ${segment.id}::uuid, ${contactId}::uuid, 'removed')
              ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = 'removed', created_at = now()
                WHERE m.origin <> 'removed' RETURNING 1
          )
          SELECT EXISTS (SELECT 1 FROM before) AS "left" FROM written`
      : Prisma.sql`DELETE FROM segment_members WHERE ${one} RETURNING origin <> 'removed' AS "left"`,
  )
  return row?.left ?? false
}
