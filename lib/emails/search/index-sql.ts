import { queuedEmails, type QueuedEmail } from "@/lib/emails/search/queue-sql"
import { gramsOf, lineOf } from "@/lib/emails/search/rules"
import { transaction } from "@/lib/platform/database/db"
import { distinctIds, firstId } from "@/lib/platform/database/distinct-sql"
import type { Queryable } from "@/lib/platform/database/db"

/** Emails that one row of the index holds: they share most parts of their texts, and a frequent word has fewer rows. */
export const groupSize = 64
/** Groups that one transaction writes. */
const groupsAtOnce = 16
const projectsAtOnce = 50

/**
 * Moves emails from the queue of the search into its index, once a project has enough of them for a group. Until then
 * a search reads them in the queue.
 * @returns whether more can be moved at once
 */
export async function indexQueued(): Promise<boolean> {
  const projects = await distinctIds(firstId, {
    name: "emails.search_projects",
    table: "email_search_queue",
    column: "project_id",
    also: `(SELECT true FROM email_search_queue q WHERE q.project_id = walk.id OFFSET ${groupSize - 1} LIMIT 1)`,
    limit: projectsAtOnce,
  })
  let more = projects.length === projectsAtOnce
  for (const projectId of projects) more = (await indexGroups(projectId)) === groupsAtOnce || more
  return more
}

/** How many groups were written; another worker's rows are left to it. */
async function indexGroups(projectId: string): Promise<number> {
  return transaction(async (client) => {
    const rows = await takeQueued(projectId, client)
    const groups = Array.from({ length: Math.floor(rows.length / groupSize) }, (_, at) =>
      rows.slice(at * groupSize, (at + 1) * groupSize),
    )
    for (const group of groups) await addGroup(projectId, group, client)
    return groups.length
  })
}

/** The oldest queued emails of the project that no other worker has taken, as far as they fill groups. */
function takeQueued(projectId: string, on: Queryable): Promise<QueuedEmail[]> {
  const oldest = { which: `LIMIT ${groupSize * groupsAtOnce} FOR UPDATE SKIP LOCKED`, where: "e.project_id = $1" }
  return queuedEmails(oldest, [projectId], on)
}

/** Raw, because a group and its rows of the queue change in one statement. */
async function addGroup(projectId: string, rows: readonly QueuedEmail[], on: Queryable): Promise<void> {
  const lines = rows.map(lineOf)
  await on.query({
    name: "emails.search_add_group",
    text: `WITH taken AS (
        DELETE FROM email_search_queue WHERE project_id = $1 AND email_id = ANY ($4::uuid[])
      )
      INSERT INTO email_search_groups (project_id, first_id, last_id, email_ids, lines, grams)
        VALUES ($1, $2, $3, $4, $5, $6)`,
    values: [projectId, rows[0]?.id, rows.at(-1)?.id, rows.map(({ id }) => id), lines, gramsOf(projectId, lines)],
  })
}
