import { pool } from "@/lib/platform/database/db"

export type HiddenSegment = { id: string; projectId: string }

/** Segments whose members are still to be removed, or the one of this id. On `pg`, because the job serves all projects. */
export async function hiddenSegments(id?: string): Promise<HiddenSegment[]> {
  const { rows } = await pool().query<HiddenSegment>(
    `SELECT id, project_id AS "projectId" FROM segments
      WHERE deleted_at IS NOT NULL AND ($1::uuid IS NULL OR id = $1) ORDER BY deleted_at LIMIT 10`,
    [id ?? null],
  )
  return rows
}

/**
 * Removes up to `batch` members of a hidden segment, then the segment. False when nothing is left of it. On `pg`, because
 * Prisma would send every id of the batch as a parameter.
 */
export async function removeBatch({ projectId, id }: HiddenSegment, batch: number): Promise<boolean> {
  const { rowCount } = await pool().query(
    `DELETE FROM segment_members WHERE project_id = $1 AND segment_id = $2 AND contact_id = ANY (ARRAY(
        SELECT contact_id FROM segment_members WHERE project_id = $1 AND segment_id = $2 ORDER BY contact_id LIMIT $3))`,
    [projectId, id, batch],
  )
  if (rowCount === batch) return true
  await pool().query("DELETE FROM segments WHERE project_id = $1 AND id = $2 AND deleted_at IS NOT NULL", [
    projectId,
    id,
  ])
  return false
}
