import { transaction, type Queryable } from "@/lib/platform/database/db"
import { compileFilter } from "@/lib/segments/compile-sql"
import type { Group } from "@/lib/segments/rules"
import { lockSegment } from "@/lib/segments/segment-sql"

/**
 * Sets the memberships by filter of these contacts: who matches is in, who does not is out. Manual
 * memberships, in or out, stay as they are. The caller holds the lock of the segment's row before the contacts are read,
 * so of two evaluations the later one decides. On `pg`, as it is the work of a segment pass.
 */
export async function settle(
  client: Queryable,
  segment: { projectId: string; id: string; filter: Group | null },
  contactIds: readonly string[],
): Promise<void> {
  const matched = segment.filter ? await whoMatches(client, segment.projectId, segment.filter, contactIds) : []
  // Lists of ids in statements of their own: joined, the planner would guess one row of each and compare all with all.
  const chosen = new Set(matched)
  const others = contactIds.filter((id) => !chosen.has(id))
  if (others.length) {
    await client.query(
      "DELETE FROM segment_members WHERE project_id = $1 AND segment_id = $2 AND contact_id = ANY ($3) AND origin = 'filter'",
      [segment.projectId, segment.id, others],
    )
  }
  if (matched.length) {
    await client.query(
      `INSERT INTO segment_members (project_id, segment_id, contact_id, origin)
        SELECT $1, $2, id, 'filter' FROM unnest($3::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
      [segment.projectId, segment.id, matched],
    )
  }
}

async function whoMatches(
  client: Queryable,
  projectId: string,
  filter: Group,
  contactIds: readonly string[],
): Promise<string[]> {
  const { sql, values } = compileFilter(filter, [projectId, contactIds])
  const { rows } = await client.query<{ id: string }>(
    `SELECT c.id FROM contacts c WHERE c.project_id = $1 AND c.id = ANY ($2) AND ${sql}`,
    values,
  )
  return rows.map(({ id }) => id)
}

/**
 * Evaluates contacts that have changed for one segment; nothing happens if it was deleted. On `pg`, as segment passes are.
 * @throws SQLSTATE 57014 where the filter takes too long for so many contacts
 */
export async function settleContacts(
  projectId: string,
  segmentId: string,
  contactIds: readonly string[],
): Promise<void> {
  await transaction(async (client) => {
    const segment = await lockSegment(projectId, segmentId, client, { limited: true })
    if (segment?.filter) await settle(client, { projectId, id: segmentId, filter: segment.filter }, contactIds)
  })
}
