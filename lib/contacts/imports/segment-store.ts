import { pool, type Queryable } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

/** Whether the project has this segment. */
export async function hasSegment(scope: Scope, segmentId: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    "SELECT 1 FROM segments WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL",
    [scope.project.id, segmentId],
  )
  return rowCount === 1
}

/** Puts contacts into a segment by hand; nothing happens when it was deleted meanwhile. */
export async function joinAll(
  on: Queryable,
  projectId: string,
  segmentId: string,
  contactIds: readonly string[],
): Promise<void> {
  await on.query(
    `INSERT INTO segment_members AS m (project_id, segment_id, contact_id, origin)
      SELECT $1, s.id, given.id, 'added' FROM unnest($3::uuid[]) AS given(id),
          (SELECT id FROM segments WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE) s
        ORDER BY given.id
      ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = 'added'
        WHERE m.origin <> 'added'`,
    [projectId, segmentId, contactIds],
  )
}
