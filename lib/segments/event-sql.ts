import { transaction, type Queryable } from "@/lib/platform/database/db"
import { deletionOf } from "@/lib/platform/database/deletion-sql"
import { engagementEvents } from "@/lib/segments/rules"

type Dispatched = { projectId: string; deliveryId: string | null; type: string }

/** The events that filters refer to and that engagement scores are computed from. */
const watched = new Set<string>([...engagementEvents, "complained"])

/**
 * Notes the deliveries with events of projects that have a segment whose filter names such events; of others with
 * contacts, whose scores are not urgent, without the bare `sent`. On `pg`, in the dispatcher's transaction, so it only
 * appends: `resolveEvents` finds the contacts later.
 */
export async function noteEvents(client: Queryable, events: readonly Dispatched[]): Promise<void> {
  const relevant = events.filter(({ type, deliveryId }) => deliveryId !== null && watched.has(type))
  if (!relevant.length) return
  await client.query(
    `INSERT INTO segment_events (project_id, delivery_id)
      SELECT DISTINCT n.project_id, n.delivery_id FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS n(project_id, delivery_id, type)
        WHERE n.project_id IN (SELECT s.project_id FROM segments s WHERE s.watches_events AND s.project_id = ANY ($4))
          OR n.type <> 'sent' AND n.project_id IN (SELECT p.id FROM unnest($4::uuid[]) AS p(id)
            CROSS JOIN LATERAL (SELECT 1 FROM contacts c WHERE c.project_id = p.id LIMIT 1) one)`,
    [
      relevant.map(({ projectId }) => projectId),
      relevant.map(({ deliveryId }) => deliveryId),
      relevant.map(({ type }) => type),
      [...new Set(relevant.map(({ projectId }) => projectId))],
    ],
  )
}

export type AffectedContact = { projectId: string; contactId: string }

/** What else follows the events of contacts, in the same transaction. */
export type FollowContacts = (contacts: readonly AffectedContact[], client: Queryable) => Promise<void>

/**
 * Turns noted deliveries into work on their contacts, for segments and for other followers; answers how many it
 * took. On `pg`, because it skips locked rows and serves all projects.
 */
export async function resolveEvents(limit: number, followContacts: FollowContacts): Promise<number> {
  return transaction(async (client) => {
    const { rows } = await client.query<{ taken: number } & (AffectedContact | { contactId: null })>(
      `WITH taken AS (
          ${deletionOf("segment_events ORDER BY id LIMIT $1")} RETURNING delivery_id
        ), affected AS MATERIALIZED (
          SELECT DISTINCT c.project_id, c.id FROM deliveries d
            JOIN contacts c ON c.project_id = d.project_id AND c.email = d.canonical
            WHERE d.id = ANY (ARRAY(SELECT delivery_id FROM taken))
        ), evaluated AS (
          INSERT INTO segment_work (project_id, contact_id)
            SELECT project_id, id FROM affected WHERE project_id IN (SELECT s.project_id FROM segments s WHERE s.watches_events)
              ORDER BY 1, 2
            ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at
        )
        SELECT counted.taken, a.project_id AS "projectId", a.id AS "contactId"
          FROM (SELECT count(*)::int AS taken FROM taken) counted LEFT JOIN affected a ON true`,
      [limit],
    )
    const affected = rows.flatMap(({ taken: _, ...row }) => (row.contactId === null ? [] : [row]))
    if (affected.length) await followContacts(affected, client)
    return rows[0]?.taken ?? 0
  })
}
