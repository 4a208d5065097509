import { pool } from "@/lib/platform/database/db"

const beforeAll = "00000000-0000-0000-0000-000000000000"

/** Projects with contacts to look at again, behind a project in the order of ids. */
export async function projectsWithWork(behind: string | null, limit: number): Promise<string[]> {
  const { rows } = await pool().query<{ project_id: string }>({
    name: "segments.projects_with_work",
    text: `WITH RECURSIVE walk AS (
        (SELECT project_id FROM segment_work WHERE project_id > $1 ORDER BY project_id LIMIT 1)
        UNION ALL
        SELECT (SELECT w.project_id FROM segment_work w WHERE w.project_id > walk.project_id ORDER BY w.project_id LIMIT 1)
          FROM walk WHERE walk.project_id IS NOT NULL
      )
      SELECT project_id FROM walk WHERE project_id IS NOT NULL LIMIT $2`,
    values: [behind ?? beforeAll, limit],
  })
  return rows.map(({ project_id }) => project_id)
}

/** A contact to look at, and which writing of its row was seen: a later one stays when this one is ended. */
export type Work = { contactId: string; version: string }

/** The next contacts to look at, in the order of their ids behind `behind`. */
export async function readWork(projectId: string, behind: string | null, limit: number): Promise<Work[]> {
  const { rows } = await pool().query<{ contact_id: string; version: string }>(
    `SELECT contact_id, xmin::text AS version FROM segment_work WHERE project_id = $1 AND contact_id > $2
      ORDER BY contact_id LIMIT $3`,
    [projectId, behind ?? beforeAll, limit],
  )
  return rows.map(({ contact_id, version }) => ({ contactId: contact_id, version }))
}

/** Ends work that was done, but for contacts that have changed since it was read; those in other hands are skipped. */
export async function endWork(projectId: string, done: readonly Work[]): Promise<void> {
  // Lists that are looked up, not joined: the planner would guess one row of each and compare all with all.
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
