import { isDeepStrictEqual } from "node:util"
import { changedFields, addAudit } from "@/lib/access/audit/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { type Connection, rowsOf, pool, type Queryable, transaction } from "@/lib/platform/database/db"
import { lockProject, lockRows } from "@/lib/platform/database/locks-sql"
import { db, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { columnsOf, shown } from "@/lib/platform/database/shape"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { filterStatementMs } from "@/lib/segments/compile-sql"
import { type Group, type NamedFault, namedFault, namedIn, segmentsMax, watchesEvents } from "@/lib/segments/rules"
import type { Segment } from "@/lib/segments/schema"
import { Prisma } from "@/prisma/generated/client"

/** Segments, newest first. */
export async function readSegmentPage(scope: Scope, request: PageRequest): Promise<{ data: Segment[]; total: number }> {
  const where = { deletedAt: null }
  const { rows, total } = await counted(
    request,
    db(scope).segment.findMany({ where, select: { id: true }, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).segment.count({ where }),
  )
  const ids = rows.map(({ id }) => id)
  const segments = await readSegments(scope.project.id, ids)
  return { data: ids.flatMap((id) => segments.get(id) ?? []).map(toSegment), total }
}

export async function findSegment(scope: Scope, id: string): Promise<Segment | null> {
  const segment = (await readSegments(scope.project.id, [id])).get(id)
  return segment ? toSegment(segment) : null
}

/** The segments of a project whose members follow a filter. */
export async function filteredSegments(projectId: string): Promise<string[]> {
  const rows = await db({ project: { id: projectId } }).segment.findMany({
    where: { filter: { not: Prisma.DbNull } },
    select: { id: true },
    orderBy: { id: "asc" },
  })
  return rows.map(({ id }) => id)
}

/** The segments of a contact, without those that it was removed from and those that are being deleted. */
export async function segmentsOf(scope: Scope, contactId: string): Promise<string[]> {
  const rows = await db(scope).segmentMember.findMany({
    where: { contactId, origin: { not: "removed" }, segment: { deletedAt: null } },
    select: { segmentId: true },
    orderBy: { segmentId: "asc" },
  })
  return rows.map(({ segmentId }) => segmentId)
}

/** Adds a segment; one with a filter is due for its first pass. */
export async function addSegment(
  scope: Scope,
  given: { name: string; filter?: Group },
): Promise<Segment | "taken" | "full" | NamedFault> {
  const id = newId()
  const fault = await faultOfNamed({ id, filter: given.filter }, db(scope))
  if (fault) return fault
  const added = await nullIfTaken(
    transaction(async (client) => {
      await lockProject(scope, client)
      const segment = await insertSegment(scope.project.id, { id, ...given }, segmentsMax, client)
      if (!segment) return "full"
      await addAudit(
        scope,
        { action: "segments.create", target: encodeId("seg", segment.id), name: given.name, changes: { ...given } },
        client,
      )
      return toSegment(segment)
    }),
  )
  return added ?? "taken"
}

export type SegmentEdit = { name?: string; filter?: Group | null }

/** Changes what is given; another filter is due for its pass. */
export async function changeSegment(
  scope: Scope,
  id: string,
  edit: SegmentEdit,
): Promise<"changed" | "missing" | "taken" | NamedFault> {
  const { name, filter } = edit
  const changed = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      // Two filters that name each other's segments may come at once.
      if (filter && namedIn(filter).length > 0) await lockProject(scope, tx)
      const fault = await faultOfNamed({ id, filter }, tx)
      if (fault) return fault
      const segment = await lockSegment(scope.project.id, id, tx)
      if (!segment || segment.deletedAt) return "missing"
      if (name !== undefined) await tx.segment.updateMany({ where: { id }, data: { name } })
      if (filter !== undefined && !isDeepStrictEqual(filter, segment.filter)) await setFilter(id, filter, tx)
      const entry = { action: "segments.update", target: encodeId("seg", id), name: name ?? segment.name } as const
      await addAudit(scope, { ...entry, changes: changedFields(segment, edit) }, tx)
      return "changed"
    }),
  )
  return changed ?? "taken"
}

/** Segment ids that a filter names, as they are stored. */
function namedIds(filter: Group | null | undefined): string[] {
  return filter ? namedIn(filter).flatMap((named) => decodeId("seg", named) ?? []) : []
}

async function faultOfNamed(
  { id, filter }: { id: string; filter?: Group | null | undefined },
  project: ScopedDb,
): Promise<NamedFault | null> {
  const named = namedIds(filter)
  if (named.length === 0) return null
  const where = { deletedAt: null }
  const rows = await project.segment.findMany({ where, select: { id: true, namedSegments: true } })
  return namedFault(id, named, new Map(rows.map((row) => [row.id, row.namedSegments])))
}

/** What has the segments whose filters name a deleted one evaluated again, in the same transaction. */
export type RenewNaming = (projectId: string, segmentId: string, tx: Connection) => Promise<void>

/** Hides a segment at once and frees its name; `removeMembers` deletes its members. False when there is none. */
export async function hideSegment(scope: Scope, id: string, renewNaming: RenewNaming): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const segment = await tx.segment.findUnique({ where: { id, deletedAt: null }, select: { name: true } })
    const hidden = await markDeleted(id, tx)
    const entry = { action: "segments.delete", target: encodeId("seg", id), name: segment?.name } as const
    if (!hidden) return false
    await renewNaming(scope.project.id, id, tx)
    await addAudit(scope, entry, tx)
    return true
  })
}

/** Sets a filter, whose pass is due at once. */
async function setFilter(id: string, filter: Group | null, tx: ScopedDb): Promise<void> {
  await tx.segment.updateMany({
    where: { id },
    data: {
      filter: filter ?? Prisma.DbNull,
      filterVersion: { increment: 1 },
      watchesEvents: filter !== null && watchesEvents(filter),
      namedSegments: namedIds(filter),
      passDueAt: await databaseTime(tx),
      passAttempt: { increment: 1 },
      passCursor: null,
      passDone: 0,
      passTotal: 0,
    },
  })
}

/** Frees the name; without its filter nothing adds members to the segment any more. */
async function markDeleted(id: string, tx: ScopedDb): Promise<boolean> {
  const { count } = await tx.segment.updateMany({
    where: { id, deletedAt: null },
    data: {
      deletedAt: await databaseTime(tx),
      name: `deleted ${id}`,
      filter: Prisma.DbNull,
      watchesEvents: false,
      namedSegments: [],
      passDueAt: null,
      passAttempt: { increment: 1 },
    },
  })
  return count === 1
}

function toSegment({ filter, building, ...fields }: CountedSegment): Segment {
  return shown<Segment>()({ ...fields, object: "segment", filter: toFilter(filter), building: present(building) })
}

/** `setFilter` stores what the schema of filters admitted. */
function toFilter(filter: Prisma.JsonValue): Group | undefined {
  return present(filter) as Group | undefined
}

// Raw SQL from here on: counts are exact within one statement alone, Prisma has no conditional upsert, and its
// transactions take twice as long.

const shape = {
  ...{ id: true, projectId: true, name: true, filter: true, filterVersion: false, contactCount: false },
  ...{ unsubscribedCount: false, passDueAt: false, passAttempt: false, passCursor: false, passDone: false },
  ...{
    passTotal: false,
    passedAt: false,
    passedVersion: false,
    watchesEvents: false,
    namedSegments: false,
    deletedAt: false,
  },
  ...{ createdAt: true, updatedAt: false },
} as const satisfies Record<Prisma.SegmentScalarFieldEnum, boolean>

type Counts = { contactCount: true; unsubscribedCount: true }

type CountedSegment = Prisma.SegmentGetPayload<{ select: Omit<typeof shape, keyof Counts> & Counts }> & {
  /** How far the passes are on which its members depend: its own, and those of the segments that its filter names. */
  building: { done: number; total: number } | null
}

/** Segments by id, with their counts. A filter that names a segment has the members of before until that one's are computed. */
export async function readSegments(
  projectId: string,
  ids: readonly string[],
  on: Connection = pool(),
): Promise<ReadonlyMap<string, CountedSegment>> {
  const rows = await rowsOf<CountedSegment>(
    on,
    Prisma.sql`SELECT ${Prisma.raw(columnsOf(shape, "s"))}, s.contact_count + w.included AS "contactCount",
        s.unsubscribed_count + w.opposed AS "unsubscribedCount", b.building
      FROM segments s CROSS JOIN LATERAL waiting_counts(s.id) w LEFT JOIN LATERAL (
        WITH RECURSIVE behind AS (
          SELECT s.id, s.named_segments, s.passed_version, s.filter_version, s.pass_done, s.pass_total
          UNION
          SELECT n.id, n.named_segments, n.passed_version, n.filter_version, n.pass_done, n.pass_total
            FROM behind b JOIN segments n ON n.project_id = s.project_id AND n.id = ANY (b.named_segments)
              AND n.deleted_at IS NULL
        )
        SELECT json_build_object('done', sum(pass_done), 'total', sum(greatest(pass_total, pass_done))) AS building
          FROM behind WHERE passed_version < filter_version HAVING count(*) > 0) b ON true
      WHERE s.project_id = ${projectId}::uuid AND s.id = ANY (${ids}::uuid[]) AND s.deleted_at IS NULL`,
    { often: true },
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether members of one of these segments are being computed: half would match the earlier filter. */
export async function areBuilding(projectId: string, ids: readonly string[]): Promise<boolean> {
  return [...(await readSegments(projectId, ids)).values()].some(({ building }) => building !== null)
}

export type SegmentToAdd = { id: string; name: string; filter?: Group }

/**
 * Adds a segment, with a filter one that is due for its first pass; null where the project has `most` already. The
 * transaction holds the lock of the project.
 */
async function insertSegment(
  projectId: string,
  { id, name, filter }: SegmentToAdd,
  most: number,
  on: Queryable,
): Promise<CountedSegment | null> {
  const passes = filter !== undefined
  const [row] = await rowsOf<CountedSegment>(
    on,
    Prisma.sql`INSERT INTO segments AS s (id, project_id, name, filter, filter_version, pass_attempt, pass_due_at, watches_events,
          named_segments)
      SELECT ${id}::uuid, ${projectId}::uuid, ${name}, ${passes ? JSON.stringify(filter) : null}::jsonb, ${Number(passes)}::int,
        ${Number(passes)}::int, CASE WHEN ${passes}::boolean THEN transaction_timestamp() END,
        ${passes && watchesEvents(filter)}::boolean, ${namedIds(filter)}::uuid[]
      WHERE (SELECT count(*) FROM segments WHERE project_id = ${projectId}::uuid AND deleted_at IS NULL) < ${most}::int
      RETURNING ${Prisma.raw(columnsOf(shape, "s"))}, s.contact_count AS "contactCount",
        s.unsubscribed_count AS "unsubscribedCount",
        CASE WHEN s.filter IS NOT NULL THEN json_build_object('done', 0, 'total', 0) END AS building`,
    { often: true },
  )
  return row ?? null
}

export type AudienceCounts = Pick<Prisma.AudienceTotalGetPayload<object>, "contacts" | "unsubscribed">

/** The counts of a project's contacts. */
export async function audienceCounts(projectId: string, on: Connection = pool()): Promise<AudienceCounts> {
  const [counts] = await rowsOf<AudienceCounts>(
    on,
    Prisma.sql`SELECT coalesce(a.contacts, 0) + w.included AS contacts, coalesce(a.unsubscribed, 0) + w.opposed AS unsubscribed
      FROM waiting_counts(${projectId}::uuid) w LEFT JOIN audience_totals a ON a.project_id = ${projectId}::uuid`,
    { often: true },
  )
  return counts ?? { contacts: 0, unsubscribed: 0 }
}

const locked = {
  ...{ filter: true, filterVersion: true, passCursor: true, passTotal: true, passAttempt: true, passDueAt: true },
  ...{ name: true, deletedAt: true },
} as const

export type LockedSegment = Omit<Prisma.SegmentGetPayload<{ select: typeof locked }>, "filter"> & {
  filter: Group | null
}

/**
 * Locks a segment until the transaction ends; null if there is no such segment. With `limited`, the statements that follow
 * in the transaction take at most `filterStatementMs`.
 */
export async function lockSegment(
  projectId: string,
  id: string,
  on: Connection,
  { limited = false } = {},
): Promise<LockedSegment | null> {
  const limit = limited ? `, set_config('statement_timeout', '${filterStatementMs}', true)` : ""
  const where = Prisma.sql`s.project_id = ${projectId}::uuid AND s.id = ${id}::uuid`
  const columns = columnsOf(locked, "s") + limit
  const [row] = await lockRows<LockedSegment>({ columns, table: "segments s", where }, on)
  return row ?? null
}

export type SegmentName = { id: string; name: string; filtered: boolean }

/**
 * Those of the ids that name segments of the project, by id; none if the project does not have the contact that is given.
 */
export async function existingSegments(
  projectId: string,
  ids: readonly string[],
  contactId?: string,
): Promise<Map<string, SegmentName>> {
  if (!ids.length) return new Map()
  const known =
    contactId === undefined
      ? Prisma.empty
      : Prisma.sql`AND EXISTS (SELECT 1 FROM contacts WHERE project_id = ${projectId}::uuid AND id = ${contactId}::uuid)`
  const rows = await rowsOf<SegmentName>(
    pool(),
    Prisma.sql`SELECT id, name, filter IS NOT NULL AS filtered FROM segments
      WHERE project_id = ${projectId}::uuid AND id = ANY (${ids}::uuid[]) AND deleted_at IS NULL ${known}`,
    { often: true },
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Adds contacts to segments manually, which overrides any filter; answers the segments that a contact joined. Segments that
 * have been deleted meanwhile are left out.
 */
export async function join(
  projectId: string,
  { contactIds, segmentIds }: { contactIds: readonly string[]; segmentIds: readonly string[] },
  on: Connection,
): Promise<Set<string>> {
  const rows = await rowsOf<{ id: string }>(
    on,
    Prisma.sql`INSERT INTO segment_members AS m (project_id, segment_id, contact_id, origin)
      SELECT ${projectId}::uuid, s.id, given.id, 'added' FROM unnest(${contactIds}::uuid[]) AS given(id),
          (SELECT id FROM segments WHERE project_id = ${projectId}::uuid AND id = ANY (${segmentIds}::uuid[])
            AND deleted_at IS NULL ORDER BY id FOR KEY SHARE) s
        ORDER BY s.id, given.id
      ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = 'added',
          created_at = CASE WHEN m.origin = 'removed' THEN now() ELSE m.created_at END
        WHERE m.origin <> 'added'
      RETURNING segment_id AS id`,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Removes a contact from a segment manually. If the segment has a filter, the removal is stored, because it overrides the
 * filter.
 * @returns whether the contact was a member
 */
export async function leaveSegment(
  projectId: string,
  contactId: string,
  segment: SegmentName,
  on: Connection,
): Promise<boolean> {
  const one = Prisma.sql`project_id = ${projectId}::uuid AND segment_id = ${segment.id}::uuid AND contact_id = ${contactId}::uuid`
  const [row] = await rowsOf<{ left: boolean }>(
    on,
    segment.filtered
      ? Prisma.sql`WITH before AS (
            SELECT origin FROM segment_members WHERE ${one}
          ), written AS (
            INSERT INTO segment_members AS m (project_id, segment_id, contact_id, origin)
              VALUES (${projectId}::uuid, ${segment.id}::uuid, ${contactId}::uuid, 'removed')
              ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = 'removed', created_at = now()
                WHERE m.origin <> 'removed' RETURNING 1
          )
          SELECT EXISTS (SELECT 1 FROM before) AS "left" FROM written`
      : Prisma.sql`DELETE FROM segment_members WHERE ${one} RETURNING origin <> 'removed' AS "left"`,
  )
  return row?.left ?? false
}

/**
 * SQL: the membership in the row `alias` of segment_members is visible: not removed manually, and not of a deleted segment.
 * For the segments of few contacts: for the contacts of one segment the planner would expect none.
 */
export function visibleMembership(alias: string): string {
  return `${alias}.origin <> 'removed' AND ${alias}.segment_id NOT IN (SELECT x.id FROM segments x WHERE x.deleted_at IS NOT NULL)`
}
