import { pool, type Queryable } from "@/lib/platform/database/db"
import { distinctIds, firstId } from "@/lib/platform/database/distinct-sql"
import { deletionOf } from "@/lib/platform/database/deletion-sql"

/** Projects with contacts to evaluate again, after a project in the order of ids. */
export function projectsWithWork(after: string | null, limit: number): Promise<string[]> {
  const of = { name: "segments.projects_with_work", table: "segment_work", column: "project_id" }
  return distinctIds(after ?? firstId, { ...of, limit })
}

/** A contact to evaluate, and the version of its row that was read: a later one remains when this one is ended. */
export type Work = { projectId: string; contactId: string; version: string }

type WorkTable = "segment_work" | "engagement_work"

/**
 * The next contacts of one project in the order of their ids after `after`, or those of all projects that have waited longest. On
 * `pg`, because Prisma does not read `xmin`.
 */
export async function readWork(
  table: WorkTable,
  of: { projectId: string; after?: string | null } | null,
  limit: number,
  on: Queryable = pool(),
): Promise<Work[]> {
  const [where, order] = of ? ["project_id = $2 AND contact_id > $3", "contact_id"] : ["true", "changed_at"]
  const { rows } = await on.query<Work>(
    `SELECT project_id AS "projectId", contact_id AS "contactId", xmin::text AS version FROM ${table}
      WHERE ${where} ORDER BY ${order} LIMIT $1`,
    of ? [limit, of.projectId, of.after ?? firstId] : [limit],
  )
  return rows
}

/**
 * Ends work that was done, but for contacts that have changed since it was read; locked ones are skipped. Raw and for all
 * projects, like the jobs that call it.
 */
export async function endWork(table: WorkTable, done: readonly Work[], on: Queryable = pool()): Promise<void> {
  // Arrays, not joins: the planner would guess one row of each list and choose a nested loop.
  await on.query(
    deletionOf(`${table} WHERE project_id = ANY ($1) AND contact_id = ANY ($2)
      AND contact_id || ' ' || xmin = ANY ($3) ORDER BY project_id, contact_id`),
    [
      [...new Set(done.map(({ projectId }) => projectId))],
      done.map(({ contactId }) => contactId),
      done.map(({ contactId, version }) => `${contactId} ${version}`),
    ],
  )
}
