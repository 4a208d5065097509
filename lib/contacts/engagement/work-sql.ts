import { rescore, scoredContacts } from "@/lib/contacts/engagement/score-sql"
import { type AffectedContact, endWork, readWork } from "@/lib/segments/passes/data"
import { transaction, type Queryable } from "@/lib/platform/database/db"
import { distinctIds, firstId } from "@/lib/platform/database/distinct-sql"
import { takeLock } from "@/lib/platform/database/locks-sql"

/** Notes contacts whose score is to be computed again. On `pg`, in the follower's transaction, which serves all projects. */
export async function followScores(contacts: readonly AffectedContact[], client: Queryable): Promise<void> {
  await client.query(
    `INSERT INTO engagement_work (project_id, contact_id) SELECT * FROM unnest($1::uuid[], $2::uuid[]) ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at`,
    [contacts.map(({ projectId }) => projectId), contacts.map(({ contactId }) => contactId)],
  )
}

const projectsMax = 1_000

/** Projects with contacts to score and a segment that waits for it; those beyond the first thousand wait until these are done. */
export function projectsThatWait(): Promise<string[]> {
  return distinctIds(firstId, {
    ...{ name: "engagement.projects_that_wait", table: "segments", column: "project_id", where: "watches_events" },
    also: "EXISTS (SELECT 1 FROM engagement_work w WHERE w.project_id = walk.id)",
    limit: projectsMax,
  })
}

/**
 * Recomputes the scores of up to `limit` contacts with news, of one project or those that have waited longest.
 * @returns how many were done
 */
export async function scoreWaiting(projectId: string | null, limit: number, now: Date): Promise<number> {
  return transaction(async (client) => {
    // One at a time: what was computed from less must not be stored over what was computed from more.
    await takeLock("mailroom.scores", client)
    const work = await readWork("engagement_work", projectId === null ? null : { projectId }, limit, client)
    if (!work.length) return 0
    const contacts = await scoredContacts(client, "id = ANY ($1)", [work.map(({ contactId }) => contactId)])
    const known = new Set(contacts.map(({ id }) => id))
    const right = new Set(await rescore(client, contacts, now))
    const done = work.filter(({ contactId }) => right.has(contactId) || !known.has(contactId))
    await endWork("engagement_work", done, client)
    return done.length
  })
}
