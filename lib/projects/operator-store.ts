import { pool, type Queryable } from "@/lib/platform/database/db"

/** The organization of any project that is not deleted; for the operator alone, who has no scope. */
export async function organizationOfProject(projectId: string, on: Queryable = pool()): Promise<string | null> {
  const { rows } = await on.query<{ organization_id: string }>(
    "SELECT organization_id FROM projects WHERE id = $1 AND deleted_at IS NULL",
    [projectId],
  )
  return rows[0]?.organization_id ?? null
}
