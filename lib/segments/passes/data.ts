import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { type Connection, rowsOf, pool, type Queryable, transaction } from "@/lib/platform/database/db"
import { deletionOf } from "@/lib/platform/database/deletion-sql"
import { distinctIds, firstId } from "@/lib/platform/database/bounded-reads-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { encodeId } from "@/lib/platform/ids"
import { compileFilter } from "@/lib/segments/compile-sql"
import { audienceCounts, type LockedSegment, lockSegment, readSegments } from "@/lib/segments/data"
import { engagementEvents, type Group } from "@/lib/segments/rules"
import { Prisma } from "@/prisma/generated/client"

// On `pg`: passes are hot, skip locked rows, and compile filters to SQL with parameters of their own.

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

/** Takes the lease of passes. Serves all projects. */
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
 * Evaluates the next `size` contacts of a pass, in one short transaction that also stores its progress.
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

/** The contacts after the last ones. Without a filter, the members that an earlier one has added are left to evaluate. */
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
  await restart(Prisma.sql`pass_due_at IS NULL AND passed_at < now() - make_interval(secs => ${rest})`, pool(), "time")
}

/**
 * Has the segments whose filters name a topic that is deleted evaluate every contact again: they match nobody from then on,
 * also contacts without a preference, which have no row of their own.
 */
export async function renewSegmentsOf(projectId: string, topicId: string, tx: Connection): Promise<void> {
  const id = Prisma.sql`jsonb_build_object('id', ${encodeId("top", topicId)}::text)`
  await restart(
    Prisma.sql`project_id = ${projectId}::uuid AND jsonb_path_exists(filter, '$.**.topicId ? (@ == $id)', ${id})`,
    tx,
  )
}

/** The same of the segments whose filters name a contact property that is deleted: they match nobody from then on. */
export async function renewSegmentsOfProperty(projectId: string, key: string, tx: Connection): Promise<void> {
  const named = Prisma.sql`jsonb_build_object('key', ${key}::text)`
  await restart(
    Prisma.sql`project_id = ${projectId}::uuid AND jsonb_path_exists(filter, '$.**.key ? (@ == $key)', ${named})`,
    tx,
  )
}

/** The same of the segments whose filters name a segment that is deleted: they match nobody from then on. */
export async function renewSegmentsNaming(projectId: string, segmentId: string, tx: Connection): Promise<void> {
  await restart(Prisma.sql`project_id = ${projectId}::uuid AND ${segmentId}::uuid = ANY (named_segments)`, tx)
}

/** Restarts passes. Serves all projects. After a change the members are those of before until the pass has ended. */
async function restart(chosen: Prisma.Sql, on: Connection, after: keyof typeof restarts = "change"): Promise<void> {
  const { version, lock } = restarts[after]
  await rowsOf(
    on,
    Prisma.sql`UPDATE segments SET pass_due_at = now(), pass_attempt = pass_attempt + 1, pass_cursor = NULL, pass_done = 0,
        passed_version = ${version}
      WHERE id IN (SELECT id FROM segments WHERE filter IS NOT NULL AND ${chosen} ORDER BY id ${lock})`,
  )
}

const restarts = {
  time: { version: Prisma.sql`passed_version`, lock: Prisma.sql`FOR NO KEY UPDATE SKIP LOCKED` },
  change: { version: Prisma.sql`0`, lock: Prisma.sql`FOR NO KEY UPDATE` },
}

/**
 * Sets the memberships by filter of these contacts: who matches is in, who does not is out. Manual memberships, in or out,
 * stay as they are. The caller holds the lock of the segment's row before the contacts are read, so of two evaluations the
 * later one decides.
 */
async function settle(
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
 * Evaluates contacts that have changed for one segment; nothing happens if it was deleted.
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

/** Projects with contacts to evaluate again, after a project in the order of ids. */
export function projectsWithWork(after: string | null, limit: number): Promise<string[]> {
  const of = { name: "segments.projects_with_work", table: "segment_work", column: "project_id" }
  return distinctIds(after ?? firstId, { ...of, limit })
}

/** A contact to evaluate, and the version of its row that was read: a later one remains when this one is ended. */
export type PassItem = { projectId: string; contactId: string; version: string }

type WorkTable = "segment_work" | "engagement_work"

/**
 * The next contacts of one project in the order of their ids after `after`, or those of all projects that have waited
 * longest.
 */
export async function readWork(
  table: WorkTable,
  of: { projectId: string; after?: string | null } | null,
  limit: number,
  on: Queryable = pool(),
): Promise<PassItem[]> {
  const [where, order] = of ? ["project_id = $2 AND contact_id > $3", "contact_id"] : ["true", "changed_at"]
  const { rows } = await on.query<PassItem>(
    `SELECT project_id AS "projectId", contact_id AS "contactId", xmin::text AS version FROM ${table}
      WHERE ${where} ORDER BY ${order} LIMIT $1`,
    of ? [limit, of.projectId, of.after ?? firstId] : [limit],
  )
  return rows
}

/**
 * Ends work that was done, but for contacts that have changed since it was read; locked ones are skipped. For all projects.
 */
export async function endWork(table: WorkTable, done: readonly PassItem[], on: Queryable = pool()): Promise<void> {
  // Arrays, not joins: the planner would guess one row of each list and choose a nested loop.
  await on.query(
    deletionOf(`${table} WHERE project_id = ANY ($1) AND contact_id = ANY ($2)
      AND contact_id || ' ' || xmin = ANY ($3) ORDER BY project_id, contact_id`),
    [
      [...new Set(done.map(({ projectId }) => projectId))],
      done.map(({ contactId }) => contactId),
      done.map(({ contactId, version }) => `${contactId} ${version}`),
    ],
  )
}

type Dispatched = { projectId: string; deliveryId: string | null; type: string }

/** The events that filters refer to and that engagement scores are computed from. */
const watched = new Set<string>([...engagementEvents, "complained"])

/**
 * Notes the deliveries with events of projects that have a segment whose filter names such events; of others with contacts,
 * whose scores are not urgent, without the bare `sent`. It is in the dispatcher's transaction, so it only appends:
 * `resolveEvents` finds the contacts later.
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
 * Turns noted deliveries into work on their contacts, for segments and for other followers; answers how many it took. Serves
 * all projects.
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
