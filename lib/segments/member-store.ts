import type pg from "pg"
import { pool, transaction } from "@/lib/platform/database/db"
import { compileFilter, filterStatementMs } from "@/lib/segments/compile"
import type { Group } from "@/lib/segments/rules"

/** Holds until the end of the transaction. */
const bounded = `set_config('statement_timeout', '${filterStatementMs}', true)`

/**
 * Makes the memberships by filter of these contacts what the filter says: who it holds for is in, who it does not is out.
 * Memberships by hand, in or out, stay as they are. The caller holds the lock of the segment's row, which comes before
 * the look at the contacts: so the later of two looks always has the last word.
 */
async function settle(
  client: pg.PoolClient,
  segment: { projectId: string; id: string; filter: Group | null },
  contactIds: readonly string[],
): Promise<void> {
  const matched = segment.filter ? await whoMatches(client, segment.projectId, segment.filter, contactIds) : []
  // Lists of ids in statements of their own: joined, the planner would guess one row of each and compare all with all.
  const chosen = new Set(matched)
  const rest = contactIds.filter((id) => !chosen.has(id))
  if (rest.length) {
    await client.query(
      "DELETE FROM segment_members WHERE project_id = $1 AND segment_id = $2 AND contact_id = ANY ($3) AND origin = 'filter'",
      [segment.projectId, segment.id, rest],
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
  client: pg.PoolClient,
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
 * Looks again at contacts that have changed, for one segment; nothing happens if it is gone.
 * @throws SQLSTATE 57014 where the filter takes too long for so many contacts
 */
export async function settleContacts(
  projectId: string,
  segmentId: string,
  contactIds: readonly string[],
): Promise<void> {
  await transaction(async (client) => {
    const { rows } = await client.query<{ filter: Group | null }>(
      `SELECT filter, ${bounded} FROM segments WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE`,
      [projectId, segmentId],
    )
    if (rows[0]?.filter) await settle(client, { projectId, id: segmentId, filter: rows[0].filter }, contactIds)
  })
}

/** The segments of a project whose members follow a filter. */
export async function filteredSegments(projectId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM segments WHERE project_id = $1 AND filter IS NOT NULL ORDER BY id",
    [projectId],
  )
  return rows.map(({ id }) => id)
}

/** A pass in hand: `attempt` is the fence of its lease. */
export type Pass = { projectId: string; segmentId: string; attempt: number }

/**
 * Takes passes that are due; they come back after the lease if their worker dies, and go on where they were. One of each
 * project comes before the second of any, first those of projects that are not in `served`, then in its order.
 */
export async function claimPasses(limit: number, leaseMs: number, served: readonly string[] = []): Promise<Pass[]> {
  const { rows } = await pool().query<{ id: string; project_id: string; pass_attempt: number }>(
    `UPDATE segments SET pass_due_at = now() + $2 * interval '1 millisecond', pass_attempt = pass_attempt + 1
      WHERE id IN (
        SELECT s.id FROM (
            SELECT id, project_id, pass_due_at, row_number() OVER (PARTITION BY project_id ORDER BY pass_due_at) AS place
              FROM segments WHERE pass_due_at <= now()) due
          JOIN segments s ON s.id = due.id
          WHERE s.pass_due_at <= now()
          ORDER BY due.place, coalesce(array_position($3::uuid[], due.project_id), 0), due.pass_due_at
          LIMIT $1 FOR NO KEY UPDATE OF s SKIP LOCKED)
      RETURNING id, project_id, pass_attempt`,
    [limit, leaseMs, served],
  )
  return rows.map((row) => ({ projectId: row.project_id, segmentId: row.id, attempt: row.pass_attempt }))
}

/** Takes the pass of one segment, due or not; null if it needs none. */
export async function claimPass(projectId: string, segmentId: string, leaseMs: number): Promise<Pass | null> {
  const { rows } = await pool().query<{ pass_attempt: number }>(
    `UPDATE segments SET pass_due_at = now() + $3 * interval '1 millisecond', pass_attempt = pass_attempt + 1
      WHERE project_id = $1 AND id = $2 AND pass_due_at IS NOT NULL RETURNING pass_attempt`,
    [projectId, segmentId, leaseMs],
  )
  return rows[0] ? { projectId, segmentId, attempt: rows[0].pass_attempt } : null
}

/** Prolongs the leases; answers the passes that are still held. */
export async function holdPasses(passes: readonly Pass[], leaseMs: number): Promise<Pass[]> {
  const { rows } = await pool().query<{ id: string }>(
    `UPDATE segments s SET pass_due_at = now() + $3 * interval '1 millisecond'
      FROM unnest($1::uuid[], $2::int[]) AS held(id, attempt)
      WHERE s.id = held.id AND s.pass_attempt = held.attempt AND s.pass_due_at IS NOT NULL RETURNING s.id`,
    [passes.map(({ segmentId }) => segmentId), passes.map(({ attempt }) => attempt), leaseMs],
  )
  const held = new Set(rows.map(({ id }) => id))
  return passes.filter(({ segmentId }) => held.has(segmentId))
}

/** Gives a pass back before its lease ends. */
export async function releasePass(pass: Pass): Promise<void> {
  await pool().query(
    "UPDATE segments SET pass_due_at = now() WHERE project_id = $1 AND id = $2 AND pass_attempt = $3 AND pass_due_at IS NOT NULL",
    [pass.projectId, pass.segmentId, pass.attempt],
  )
}

type PassRow = { filter: Group | null; filter_version: number; pass_cursor: string | null; pass_total: number }

/**
 * The next `size` contacts of a pass, in one short transaction that also remembers how far it came.
 * @returns "more", or that it has "ended": it was the last step, or the pass is another's now
 * @throws SQLSTATE 57014 where the filter takes too long for so many contacts
 */
export async function stepPass(pass: Pass, size: number): Promise<"more" | "ended"> {
  const { projectId, segmentId } = pass
  return transaction(async (client) => {
    const { rows } = await client.query<PassRow>(
      `SELECT filter, filter_version, pass_cursor, pass_total, ${bounded} FROM segments
        WHERE project_id = $1 AND id = $2 AND pass_attempt = $3 AND pass_due_at IS NOT NULL FOR NO KEY UPDATE`,
      [projectId, segmentId, pass.attempt],
    )
    const [segment] = rows
    if (!segment) return "ended"
    const total = segment.pass_cursor === null ? await countToDo(client, pass, segment.filter) : segment.pass_total
    const contactIds = await nextContacts(client, pass, segment, size)
    if (contactIds.length) await settle(client, { projectId, id: segmentId, filter: segment.filter }, contactIds)
    const ended = contactIds.length < size
    await client.query(
      `UPDATE segments SET pass_cursor = $3, pass_done = CASE WHEN $7 THEN 0 ELSE pass_done + $4 END, pass_total = $5,
          pass_due_at = CASE WHEN $7 THEN NULL ELSE pass_due_at END, passed_at = CASE WHEN $7 THEN now() ELSE passed_at END,
          passed_version = CASE WHEN $7 THEN $6 ELSE passed_version END
        WHERE project_id = $1 AND id = $2`,
      [projectId, segmentId, ended ? null : contactIds.at(-1), contactIds.length, total, segment.filter_version, ended],
    )
    return ended ? "ended" : "more"
  })
}

async function nextContacts(
  client: pg.PoolClient,
  { projectId, segmentId }: Pass,
  segment: PassRow,
  size: number,
): Promise<string[]> {
  const { rows } = segment.filter
    ? await client.query<{ id: string }>(
        "SELECT id FROM contacts WHERE project_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3",
        [projectId, segment.pass_cursor, size],
      )
    : await client.query<{ id: string }>(
        `SELECT contact_id AS id FROM segment_members WHERE project_id = $1 AND segment_id = $2
          AND ($3::uuid IS NULL OR contact_id > $3) AND origin = 'filter' ORDER BY contact_id LIMIT $4`,
        [projectId, segmentId, segment.pass_cursor, size],
      )
  return rows.map(({ id }) => id)
}

async function countToDo(client: pg.PoolClient, { projectId, segmentId }: Pass, filter: Group | null): Promise<number> {
  const { rows } = await client.query<{ total: number }>(
    filter
      ? `SELECT (coalesce((SELECT contacts FROM audience_totals WHERE project_id = $1), 0) + w.included)::int AS total FROM waiting_counts($1) w`
      : `SELECT s.contact_count + w.included AS total FROM segments s, waiting_counts(s.id) w WHERE s.project_id = $1 AND s.id = $2`,
    filter ? [projectId] : [projectId, segmentId],
  )
  return rows[0]?.total ?? 0
}

/** Makes whole passes due again: hourly where time alone changes the answer, daily for the rest. */
export async function renewPasses(hourly: number, daily: number): Promise<void> {
  await pool().query(
    `UPDATE segments SET pass_due_at = now(), pass_cursor = NULL, pass_done = 0
      WHERE id IN (SELECT id FROM segments WHERE filter IS NOT NULL AND pass_due_at IS NULL
        AND passed_at < now() - make_interval(secs => CASE WHEN jsonb_path_exists(filter, '$.**.days') THEN $1::float8 ELSE $2::float8 END)
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
    [hourly, daily],
  )
}
