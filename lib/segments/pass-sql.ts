import type pg from "pg"
import { pool, transaction } from "@/lib/platform/database/db"
import type { Group } from "@/lib/segments/rules"
import { bounded, settle } from "@/lib/segments/settle-sql"

/** A claimed pass: `attempt` is the fencing token of its lease. */
export type Pass = { projectId: string; segmentId: string; attempt: number }

/**
 * Claims passes that are due; if their worker dies they are due again after the lease, and continue where they were. One of
 * each project comes before the second of any, first those of projects that are not in `served`, then in its order. On
 * `pg`, because it locks and serves all projects.
 */
export async function claimPasses(limit: number, leaseMs: number, served: readonly string[] = []): Promise<Pass[]> {
  const { rows } = await pool().query<Pass>(
    `UPDATE segments SET pass_due_at = now() + $2 * interval '1 millisecond', pass_attempt = pass_attempt + 1
      WHERE id IN (
        SELECT s.id FROM (
            SELECT id, project_id, pass_due_at, row_number() OVER (PARTITION BY project_id ORDER BY pass_due_at) AS rank
              FROM segments WHERE pass_due_at <= now()) due
          JOIN segments s ON s.id = due.id
          WHERE s.pass_due_at <= now()
          ORDER BY due.rank, coalesce(array_position($3::uuid[], due.project_id), 0), due.pass_due_at
          LIMIT $1 FOR NO KEY UPDATE OF s SKIP LOCKED)
      RETURNING id AS "segmentId", project_id AS "projectId", pass_attempt AS attempt`,
    [limit, leaseMs, served],
  )
  return rows
}

/** Claims the pass of one segment, due or not; null if it needs none. On `pg`, as all of a pass is. */
export async function claimPass(projectId: string, segmentId: string, leaseMs: number): Promise<Pass | null> {
  const { rows } = await pool().query<Pass>(
    `UPDATE segments SET pass_due_at = now() + $3 * interval '1 millisecond', pass_attempt = pass_attempt + 1
      WHERE project_id = $1 AND id = $2 AND pass_due_at IS NOT NULL
      RETURNING id AS "segmentId", project_id AS "projectId", pass_attempt AS attempt`,
    [projectId, segmentId, leaseMs],
  )
  return rows[0] ?? null
}

/** Extends the leases; answers the passes that are still held. On `pg`, because it serves all projects. */
export async function extendPasses(passes: readonly Pass[], leaseMs: number): Promise<Pass[]> {
  const { rows } = await pool().query<{ id: string }>(
    `UPDATE segments s SET pass_due_at = now() + $3 * interval '1 millisecond'
      FROM unnest($1::uuid[], $2::int[]) AS held(id, attempt)
      WHERE s.id = held.id AND s.pass_attempt = held.attempt AND s.pass_due_at IS NOT NULL RETURNING s.id`,
    [passes.map(({ segmentId }) => segmentId), passes.map(({ attempt }) => attempt), leaseMs],
  )
  const held = new Set(rows.map(({ id }) => id))
  return passes.filter(({ segmentId }) => held.has(segmentId))
}

/** Ends the lease of a pass, which is due again at once. On `pg`, as all of a pass is. */
export async function releasePass(pass: Pass): Promise<void> {
  await pool().query(
    "UPDATE segments SET pass_due_at = now() WHERE project_id = $1 AND id = $2 AND pass_attempt = $3 AND pass_due_at IS NOT NULL",
    [pass.projectId, pass.segmentId, pass.attempt],
  )
}

type PassRow = { filter: Group | null; version: number; cursor: string | null; total: number }

/**
 * Evaluates the next `size` contacts of a pass, in one short transaction that also stores its progress.
 * @returns "more", or "ended": it was the last step, or another worker has the pass now
 * @throws SQLSTATE 57014 where the filter takes too long for so many contacts
 */
export async function stepPass(pass: Pass, size: number): Promise<"more" | "ended"> {
  const { projectId, segmentId } = pass
  return transaction(async (client) => {
    const { rows } = await client.query<PassRow>(
      `SELECT filter, filter_version AS version, pass_cursor AS cursor, pass_total AS total, ${bounded} FROM segments
        WHERE project_id = $1 AND id = $2 AND pass_attempt = $3 AND pass_due_at IS NOT NULL FOR NO KEY UPDATE`,
      [projectId, segmentId, pass.attempt],
    )
    const [segment] = rows
    if (!segment) return "ended"
    const total = segment.cursor === null ? await countToDo(client, pass, segment.filter) : segment.total
    const contactIds = await nextContacts(client, pass, segment, size)
    if (contactIds.length) await settle(client, { projectId, id: segmentId, filter: segment.filter }, contactIds)
    const ended = contactIds.length < size
    await client.query(
      `UPDATE segments SET pass_cursor = $3, pass_done = CASE WHEN $7 THEN 0 ELSE pass_done + $4 END, pass_total = $5,
          pass_due_at = CASE WHEN $7 THEN NULL ELSE pass_due_at END, passed_at = CASE WHEN $7 THEN now() ELSE passed_at END,
          passed_version = CASE WHEN $7 THEN $6 ELSE passed_version END
        WHERE project_id = $1 AND id = $2`,
      [projectId, segmentId, ended ? null : contactIds.at(-1), contactIds.length, total, segment.version, ended],
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
        [projectId, segment.cursor, size],
      )
    : await client.query<{ id: string }>(
        `SELECT contact_id AS id FROM segment_members WHERE project_id = $1 AND segment_id = $2
          AND ($3::uuid IS NULL OR contact_id > $3) AND origin = 'filter' ORDER BY contact_id LIMIT $4`,
        [projectId, segmentId, segment.cursor, size],
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

/**
 * Makes whole passes due again: hourly where time alone changes who matches, daily for the rest. On `pg`, because it locks
 * and serves all projects.
 */
export async function renewPasses(hourly: number, daily: number): Promise<void> {
  await pool().query(
    `UPDATE segments SET pass_due_at = now(), pass_cursor = NULL, pass_done = 0
      WHERE id IN (SELECT id FROM segments WHERE filter IS NOT NULL AND pass_due_at IS NULL
        AND passed_at < now() - make_interval(secs => CASE WHEN jsonb_path_exists(filter, '$.**.days') THEN $1::float8 ELSE $2::float8 END)
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
    [hourly, daily],
  )
}
