import { pool } from "@/lib/platform/database/db"

const beforeAll = "00000000-0000-0000-0000-000000000000"

/** Projects with contacts to evaluate again, after a project in the order of ids. On `pg`, because it serves all projects. */
export async function projectsWithWork(after: string | null, limit: number): Promise<string[]> {
  const { rows } = await pool().query<{ projectId: string }>({
    name: "segments.projects_with_work",
    text: `WITH RECURSIVE walk AS (
        (SELECT project_id FROM segment_work WHERE project_id > $1 ORDER BY project_id LIMIT 1)
        UNION ALL
        SELECT (SELECT w.project_id FROM segment_work w WHERE w.project_id > walk.project_id ORDER BY w.project_id LIMIT 1)
          FROM walk WHERE walk.project_id IS NOT NULL
      )
      SELECT project_id AS "projectId" FROM walk WHERE project_id IS NOT NULL LIMIT $2`,
    values: [after ?? beforeAll, limit],
  })
  return rows.map(({ projectId }) => projectId)
}

/** A contact to evaluate, and the version of its row that was read: a later one remains when this one is ended. */
export type Work = { contactId: string; version: string }

/** The next contacts to evaluate, in the order of their ids after `after`. On `pg`, because Prisma does not read `xmin`. */
export async function readWork(projectId: string, after: string | null, limit: number): Promise<Work[]> {
  const { rows } = await pool().query<Work>(
    `SELECT contact_id AS "contactId", xmin::text AS version FROM segment_work WHERE project_id = $1 AND contact_id > $2
      ORDER BY contact_id LIMIT $3`,
    [projectId, after ?? beforeAll, limit],
  )
  return rows
}

/**
 * Ends work that was done, but for contacts that have changed since it was read; locked ones are skipped. On `pg`, because
 * Prisma has no SKIP LOCKED.
 */
export async function endWork(projectId: string, done: readonly Work[]): Promise<void> {
  // Arrays, not joins: the planner would guess one row of each list and choose a nested loop.
  await pool().query(
    `DELETE FROM segment_work WHERE project_id = $1 AND ctid = ANY (ARRAY(
        SELECT ctid FROM segment_work WHERE project_id = $1 AND contact_id = ANY ($2)
          AND contact_id || ' ' || xmin = ANY ($3) ORDER BY contact_id FOR UPDATE SKIP LOCKED))`,
    [
      projectId,
      done.map(({ contactId }) => contactId),
      done.map(({ contactId, version }) => `${contactId} ${version}`),
    ],
  )
}
