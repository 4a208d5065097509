import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool } from "@/lib/platform/database/db"
import { Prisma } from "@/prisma/generated/client"

export type SegmentName = { id: string; name: string; filtered: boolean }

/**
 * Those of the ids that name segments of the project, by id; none if the project does not have the contact that is given.
 * Raw, because a filter may be large and is not needed, and the contact is checked in the same statement.
 */
export async function existingSegments(
  projectId: string,
  ids: readonly string[],
  contactId?: string,
): Promise<Map<string, SegmentName>> {
  if (!ids.length) return new Map()
  const known =
    contactId === undefined
      ? Prisma.empty
      : Prisma.sql`AND EXISTS (SELECT 1 FROM contacts WHERE project_id = ${projectId}::uuid AND id = ${contactId}::uuid)`
  const rows = await rowsOf<SegmentName>(
    pool(),
    Prisma.sql`SELECT id, name, filter IS NOT NULL AS filtered FROM segments
      WHERE project_id = ${projectId}::uuid AND id = ANY (${ids}::uuid[]) AND deleted_at IS NULL ${known}`,
    { often: true },
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Adds contacts to segments manually, which overrides any filter; answers the segments that a contact joined. Segments that
 * have been deleted meanwhile are left out. Raw, because Prisma has no conditional upsert.
 */
export async function join(
  projectId: string,
  { contactIds, segmentIds }: { contactIds: readonly string[]; segmentIds: readonly string[] },
  on: Connection,
): Promise<Set<string>> {
  const rows = await rowsOf<{ id: string }>(
    on,
    Prisma.sql`INSERT INTO segment_members AS m (project_id, segment_id, contact_id, origin)
      SELECT ${projectId}::uuid, s.id, given.id, 'added' FROM unnest(${contactIds}::uuid[]) AS given(id),
          (SELECT id FROM segments WHERE project_id = ${projectId}::uuid AND id = ANY (${segmentIds}::uuid[])
            AND deleted_at IS NULL ORDER BY id FOR KEY SHARE) s
        ORDER BY s.id, given.id
      ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = 'added',
          created_at = CASE WHEN m.origin = 'removed' THEN now() ELSE m.created_at END
        WHERE m.origin <> 'added'
      RETURNING segment_id AS id`,
  )
  return new Set(rows.map(({ id }) => id))
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
