import { addAudit } from "@/lib/access/audit-store"
import { pool, transaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"

/** Hides the segment at once and gives its name free; its members go with `removeMembers`. False when there is none. */
export async function hideSegment(scope: Scope, id: string): Promise<boolean> {
  return transaction(async (client) => {
    // Without its filter nobody puts members in meanwhile.
    const { rowCount } = await client.query(
      `UPDATE segments SET deleted_at = now(), name = 'deleted ' || id, filter = NULL, watches_events = false, pass_due_at = NULL,
          pass_attempt = pass_attempt + 1
        WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [scope.project.id, id],
    )
    if (rowCount) await addAudit(scope, { action: "segments.delete", target: encodeId("seg", id) }, client)
    return rowCount === 1
  })
}

export type HiddenSegment = { id: string; projectId: string }

/** Segments whose members are still to be removed, of all projects or the one of this id. */
export async function hiddenSegments(id?: string): Promise<HiddenSegment[]> {
  const { rows } = await pool().query<{ id: string; project_id: string }>(
    "SELECT id, project_id FROM segments WHERE deleted_at IS NOT NULL AND ($1::uuid IS NULL OR id = $1) ORDER BY deleted_at LIMIT 10",
    [id ?? null],
  )
  return rows.map((row) => ({ id: row.id, projectId: row.project_id }))
}

/** Removes up to `batch` members of a hidden segment, then the segment. False when nothing is left of it. */
export async function removeBatch({ projectId, id }: HiddenSegment, batch: number): Promise<boolean> {
  const { rows } = await pool().query<{ contact_id: string }>(
    "SELECT contact_id FROM segment_members WHERE project_id = $1 AND segment_id = $2 ORDER BY contact_id LIMIT $3",
    [projectId, id, batch],
  )
  const contactIds = rows.map(({ contact_id }) => contact_id)
  if (contactIds.length) {
    await pool().query(
      "DELETE FROM segment_members WHERE project_id = $1 AND segment_id = $2 AND contact_id = ANY ($3)",
      [projectId, id, contactIds],
    )
  }
  if (contactIds.length === batch) return true
  await pool().query("DELETE FROM segments WHERE project_id = $1 AND id = $2 AND deleted_at IS NOT NULL", [
    projectId,
    id,
  ])
  return false
}
