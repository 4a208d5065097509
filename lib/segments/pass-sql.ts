import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { encodeId } from "@/lib/platform/ids"
import { audienceCounts, lockSegment, readSegments, type LockedSegment } from "@/lib/segments/segment-sql"
import { settle } from "@/lib/segments/settle-sql"
import { Prisma } from "@/prisma/generated/client"

/** A claimed pass: `attempt` is the fencing token of its lease. */
export type Pass = { projectId: string; segmentId: string; attempt: number }

/**
 * Claims passes that are due; if their worker dies they are due again after the lease, and continue where they were. One of
 * each project comes before the second of any, first those of projects that are not in `served`, then in its order.
 */
export async function claimPasses(limit: number, leaseMs: number, served: readonly string[] = []): Promise<Pass[]> {
  return claim(
    Prisma.sql`id IN (
      SELECT s.id FROM (
          SELECT id, project_id, pass_due_at, row_number() OVER (PARTITION BY project_id ORDER BY pass_due_at) AS rank
            FROM segments WHERE pass_due_at <= now()) due
        JOIN segments s ON s.id = due.id
        WHERE s.pass_due_at <= now()
        ORDER BY due.rank, coalesce(array_position(${served}::uuid[], due.project_id), 0), due.pass_due_at
        LIMIT ${limit} FOR NO KEY UPDATE OF s SKIP LOCKED)`,
    leaseMs,
  )
}

/** Claims the pass of one segment, due or not; null if it needs none. */
export async function claimPass(projectId: string, segmentId: string, leaseMs: number): Promise<Pass | null> {
  const one = Prisma.sql`project_id = ${projectId}::uuid AND id = ${segmentId}::uuid AND pass_due_at IS NOT NULL`
  const [pass] = await claim(one, leaseMs)
  return pass ?? null
}

/** Takes the lease of passes. On `pg`, because it skips locked rows and serves all projects. */
async function claim(chosen: Prisma.Sql, leaseMs: number): Promise<Pass[]> {
  return rowsOf<Pass>(
    pool(),
    Prisma.sql`UPDATE segments SET pass_due_at = now() + ${leaseMs}::float8 * interval '1 millisecond',
        pass_attempt = pass_attempt + 1
      WHERE ${chosen} RETURNING id AS "segmentId", project_id AS "projectId", pass_attempt AS attempt`,
  )
}

/** Extends the leases; answers the passes that are still held. */
export async function extendPasses(passes: readonly Pass[], leaseMs: number): Promise<Pass[]> {
  const data = { passDueAt: secondsAfter(await databaseTime(pool()), leaseMs / 1_000) }
  const held = passes.map(async (pass) => {
    const where = { id: pass.segmentId, passAttempt: pass.attempt, passDueAt: { not: null } }
    const { count } = await db({ project: { id: pass.projectId } }).segment.updateMany({ where, data })
    return count ? [pass] : []
  })
  return (await Promise.all(held)).flat()
}

/** Ends the lease of a pass, which is due again at once. */
export async function releasePass(pass: Pass): Promise<void> {
  await extendPasses([pass], 0)
}

/**
 * Evaluates the next `size` contacts of a pass, in one short transaction that also stores its progress. On `pg`, as all of
 * a pass is.
 * @returns "more", or "ended": it was the last step, or another worker has the pass now
 * @throws SQLSTATE 57014 where the filter takes too long for so many contacts
 */
export async function stepPass(pass: Pass, size: number): Promise<"more" | "ended"> {
  const { projectId, segmentId } = pass
  return transaction(async (client) => {
    const segment = await lockSegment(projectId, segmentId, client, { limited: true })
    if (!segment || segment.passAttempt !== pass.attempt || segment.passDueAt === null) return "ended"
    const total = segment.passCursor === null ? await countToDo(client, pass, segment) : segment.passTotal
    const contactIds = await nextContacts(client, pass, segment, size)
    if (contactIds.length) await settle(client, { projectId, id: segmentId, filter: segment.filter }, contactIds)
    const ended = contactIds.length < size
    await client.query(
      `UPDATE segments SET pass_cursor = $3, pass_done = CASE WHEN $7 THEN 0 ELSE pass_done + $4 END, pass_total = $5,
          pass_due_at = CASE WHEN $7 THEN NULL ELSE pass_due_at END, passed_at = CASE WHEN $7 THEN now() ELSE passed_at END,
          passed_version = CASE WHEN $7 THEN $6 ELSE passed_version END
        WHERE project_id = $1 AND id = $2`,
      [projectId, segmentId, ended ? null : contactIds.at(-1), contactIds.length, total, segment.filterVersion, ended],
    )
    return ended ? "ended" : "more"
  })
}

/** The contacts after the last ones. On `pg`, as all of a pass is. Without a filter, the members that an earlier one has added are left to evaluate. */
async function nextContacts(
  client: Queryable,
  { projectId, segmentId }: Pass,
  { filter, passCursor }: LockedSegment,
  size: number,
): Promise<string[]> {
  const [table, id, which] = filter
    ? ["contacts", "id", "true"]
    : ["segment_members", "contact_id", "segment_id = $4 AND origin = 'filter'"]
  const { rows } = await client.query<{ id: string }>(
    `SELECT ${id} AS id FROM ${table} WHERE project_id = $1 AND ($2::uuid IS NULL OR ${id} > $2) AND ${which}
      ORDER BY ${id} LIMIT $3`,
    [projectId, passCursor, size, ...(filter ? [] : [segmentId])],
  )
  return rows.map(({ id }) => id)
}

async function countToDo(
  client: Queryable,
  { projectId, segmentId }: Pass,
  { filter }: LockedSegment,
): Promise<number> {
  if (filter) return (await audienceCounts(projectId, client)).contacts
  return (await readSegments(projectId, [segmentId], client)).get(segmentId)?.contactCount ?? 0
}

/** Makes whole passes due again: hourly where time alone changes who matches, daily for the rest. */
export async function renewPasses(hourly: number, daily: number): Promise<void> {
  const rest = Prisma.sql`CASE WHEN jsonb_path_exists(filter, '$.**.days') THEN ${hourly}::float8 ELSE ${daily}::float8 END`
  await restart(Prisma.sql`pass_due_at IS NULL AND passed_at < now() - make_interval(secs => ${rest})`, pool(), "skip")
}

/**
 * Has the segments whose filters name a topic evaluate every contact again: its default applies to contacts without a
 * preference, which have no row of their own.
 */
export async function renewSegmentsOf(projectId: string, topicId: string, tx: Connection): Promise<void> {
  const id = Prisma.sql`jsonb_build_object('id', ${encodeId("top", topicId)}::text)`
  await restart(
    Prisma.sql`project_id = ${projectId}::uuid AND jsonb_path_exists(filter, '$.**.topicId ? (@ == $id)', ${id})`,
    tx,
  )
}

/** Restarts passes. Raw, because Prisma has no `jsonb_path_exists` and locks no rows in order; renewal serves all projects. */
async function restart(chosen: Prisma.Sql, on: Connection, locked: keyof typeof locks = "wait"): Promise<void> {
  await rowsOf(
    on,
    Prisma.sql`UPDATE segments SET pass_due_at = now(), pass_attempt = pass_attempt + 1, pass_cursor = NULL, pass_done = 0
      WHERE id IN (SELECT id FROM segments WHERE filter IS NOT NULL AND ${chosen} ORDER BY id ${locks[locked]})`,
  )
}

const locks = { skip: Prisma.sql`FOR NO KEY UPDATE SKIP LOCKED`, wait: Prisma.sql`FOR NO KEY UPDATE` }
