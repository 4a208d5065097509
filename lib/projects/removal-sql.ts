import { addSystemAudit } from "@/lib/access/audit-store"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { daysToRestore } from "@/lib/platform/database/deleted-projects"
import { encodeId } from "@/lib/platform/ids"

export type RemovableProject = { id: string; organizationId: string; name: string; slug: string }

const isOver = `deleted_at <= now() - interval '${daysToRestore} days'`

/** Projects that can no longer be restored, the one deleted first at the front. */
export async function removableProjects(): Promise<RemovableProject[]> {
  const { rows } = await pool().query<RemovableProject>(
    `SELECT id, organization_id AS "organizationId", name, slug FROM projects WHERE ${isOver} ORDER BY deleted_at LIMIT 10`,
  )
  return rows
}

/**
 * Runs one batch of the removal of a project in a transaction of its own; null where another worker does one at this moment.
 * Raw, because Prisma has no advisory locks, and no deletions in batches.
 */
export function oneBatch<T>(projectId: string, work: (on: Queryable) => Promise<T>): Promise<{ done: T } | null> {
  return transaction(async (client) => {
    const { rows } = await client.query<{ held: boolean }>(
      "SELECT pg_try_advisory_xact_lock(hashtext('mailroom.remove_project' || $1)) AS held",
      [projectId],
    )
    return rows[0]?.held ? { done: await work(client) } : null
  })
}

/** Deletes the row of a project whose belongings are removed, and records it. */
export async function removeEmptied(
  { id, organizationId, name, slug }: RemovableProject,
  on: Queryable,
): Promise<void> {
  const { rowCount } = await on.query(`DELETE FROM projects WHERE id = $1 AND ${isOver}`, [id])
  if (!rowCount) return
  const entry = { action: "project.removed", target: encodeId("proj", id), changes: { name, slug } }
  await addSystemAudit({ organizationId, projectId: id }, entry, on)
}
