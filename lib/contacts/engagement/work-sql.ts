import { rescore, type Scored } from "@/lib/contacts/engagement/score-sql"
import type { AffectedContact } from "@/lib/segments/event-sql"
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

/** Projects where events wait for scores and a segment for them. */
export async function projectsThatWait(): Promise<string[]> {
  const { rows } = await pool().query<{ project_id: string }>({
    name: "engagement.projects_that_wait",
    text: `SELECT s.project_id FROM (SELECT DISTINCT project_id FROM segments WHERE watches_events) s
      CROSS JOIN LATERAL (SELECT 1 FROM engagement_work w WHERE w.project_id = s.project_id LIMIT 1) work`,
  })
  return rows.map(({ project_id }) => project_id)
}

/**
 * Makes the scores of up to `limit` contacts with news anew, of one project or those that have waited longest.
 * @returns how many were done with
 */
export async function scoreWaiting(projectId: string | null, limit: number, now: Date): Promise<number> {
  return transaction(async (client) => {
    // One at a time: what was computed from less must not be stored over what was computed from more.
    await takeLock("mailroom.scores", client)
    const work = await readWork(client, projectId, limit)
    if (!work.length) return 0
    const contacts = work.flatMap(({ contact }) => contact ?? [])
    const right = new Set(await rescore(client, contacts, now))
    const done = work.filter(({ contact }) => contact === null || right.has(contact.id))
    await endWork(client, done)
    return done.length
  })
}

/** A contact with news, null once it is gone, and which writing of its row was seen: a later one stays. */
type Work = { projectId: string; contactId: string; version: string; contact: Scored | null }

async function readWork(client: Queryable, projectId: string | null, limit: number): Promise<Work[]> {
  type Row = {
    project_id: string
    contact_id: string
    version: string
    email: string | null
    engagement_score: number | null
    engagement_tier: string | null
  }
  const { rows } = await client.query<Row>(
    `SELECT w.*, c.email, c.engagement_score, c.engagement_tier FROM (
        SELECT project_id, contact_id, changed_at, xmin::text AS version FROM engagement_work
          ${projectId ? "WHERE project_id = $2 ORDER BY contact_id" : "ORDER BY changed_at"} LIMIT $1
      ) w LEFT JOIN contacts c ON c.id = w.contact_id`,
    projectId ? [limit, projectId] : [limit],
  )
  return rows.map((row) => ({
    projectId: row.project_id,
    contactId: row.contact_id,
    version: row.version,
    contact:
      row.email === null
        ? null
        : {
            projectId: row.project_id,
            id: row.contact_id,
            email: row.email,
            score: row.engagement_score,
            tier: row.engagement_tier,
          },
  }))
}

async function endWork(client: Queryable, done: readonly Work[]): Promise<void> {
  await client.query(
    `DELETE FROM engagement_work WHERE ctid = ANY (ARRAY(
        SELECT w.ctid FROM engagement_work w
          WHERE w.project_id = ANY ($1) AND w.contact_id = ANY ($2) AND w.contact_id || ' ' || w.xmin = ANY ($3)
          ORDER BY w.project_id, w.contact_id FOR UPDATE SKIP LOCKED))`,
    [
      [...new Set(done.map(({ projectId }) => projectId))],
      done.map(({ contactId }) => contactId),
      done.map(({ contactId, version }) => `${contactId} ${version}`),
    ],
  )
}
