import { rescore, type Scored } from "@/lib/contacts/engagement/score-sql"
import type { AffectedContact } from "@/lib/segments/event-sql"
import { endWork } from "@/lib/segments/work-sql"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"

/** Notes contacts whose score is to be computed again. On `pg`, in the follower's transaction, which serves all projects. */
export async function followScores(contacts: readonly AffectedContact[], client: Queryable): Promise<void> {
  await client.query(
    `INSERT INTO engagement_work (project_id, contact_id) SELECT * FROM unnest($1::uuid[], $2::uuid[]) ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at`,
    [contacts.map(({ projectId }) => projectId), contacts.map(({ contactId }) => contactId)],
  )
}

/** Projects with contacts to score and a segment that waits for it. On `pg`, because the job polls all projects. */
export async function projectsThatWait(): Promise<string[]> {
  const { rows } = await pool().query<{ projectId: string }>({
    name: "engagement.projects_that_wait",
    text: `SELECT s.project_id AS "projectId" FROM (SELECT DISTINCT project_id FROM segments WHERE watches_events) s
      CROSS JOIN LATERAL (SELECT 1 FROM engagement_work w WHERE w.project_id = s.project_id LIMIT 1) work`,
  })
  return rows.map(({ projectId }) => projectId)
}

/**
 * Recomputes the scores of up to `limit` contacts with news, of one project or those that have waited longest.
 * @returns how many were done
 */
export async function scoreWaiting(projectId: string | null, limit: number, now: Date): Promise<number> {
  return transaction(async (client) => {
    // One at a time: what was computed from less must not be stored over what was computed from more.
    await takeLock("mailroom.scores", client)
    const work = await readWork(client, projectId, limit)
    if (!work.length) return 0
    const right = new Set(await rescore(client, work.filter(exists), now))
    const done = work.filter((one) => !exists(one) || right.has(one.id))
    await endWork(
      "engagement_work",
      done.map((one) => ({ ...one, contactId: one.id })),
      client,
    )
    return done.length
  })
}

/** A contact with news, without an address once it is deleted, and the version of the work: a later one stays. */
type Work = Omit<Scored, "email"> & { email: string | null; version: string }

const exists = (work: Work): work is Work & Scored => work.email !== null

/** On `pg`, because Prisma does not read `xmin`, and the job serves all projects. */
async function readWork(client: Queryable, projectId: string | null, limit: number): Promise<Work[]> {
  const { rows } = await client.query<Work>(
    `SELECT w.project_id AS "projectId", w.contact_id AS id, w.version, c.email, c.engagement_score AS "engagementScore",
        c.engagement_tier AS "engagementTier" FROM (
        SELECT project_id, contact_id, changed_at, xmin::text AS version FROM engagement_work
          ${projectId ? "WHERE project_id = $2 ORDER BY contact_id" : "ORDER BY changed_at"} LIMIT $1
      ) w LEFT JOIN contacts c ON c.id = w.contact_id`,
    projectId ? [limit, projectId] : [limit],
  )
  return rows
}
