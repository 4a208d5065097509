import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool, type Queryable } from "@/lib/platform/database/db"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { columnsOf } from "@/lib/platform/database/shape"
import { filterStatementMs } from "@/lib/segments/compile-sql"
import { watchesEvents, type Group } from "@/lib/segments/rules"
import { Prisma } from "@/prisma/generated/client"

const shape = {
  ...{ id: true, projectId: true, name: true, filter: true, filterVersion: true, contactCount: false },
  ...{ unsubscribedCount: false, passDueAt: false, passAttempt: false, passCursor: false, passDone: true },
  ...{ passTotal: true, passedAt: false, passedVersion: true, watchesEvents: false, deletedAt: false },
  ...{ createdAt: true, updatedAt: false },
} as const satisfies Record<Prisma.SegmentScalarFieldEnum, boolean>

type Counts = { contactCount: true; unsubscribedCount: true }

export type CountedSegment = Prisma.SegmentGetPayload<{ select: Omit<typeof shape, keyof Counts> & Counts }>

/**
 * Segments by id, with their counts. Raw, because the counters and the changes that are not folded into them yet
 * (`waiting_counts`) are exact only within one statement.
 */
export async function readSegments(
  projectId: string,
  ids: readonly string[],
  on: Connection = pool(),
): Promise<ReadonlyMap<string, CountedSegment>> {
  const rows = await rowsOf<CountedSegment>(
    on,
    Prisma.sql`SELECT ${Prisma.raw(columnsOf(shape, "s"))}, s.contact_count + w.included AS "contactCount",
        s.unsubscribed_count + w.opposed AS "unsubscribedCount"
      FROM segments s CROSS JOIN LATERAL waiting_counts(s.id) w
      WHERE s.project_id = ${projectId}::uuid AND s.id = ANY (${ids}::uuid[]) AND s.deleted_at IS NULL`,
    { often: true },
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export type NewSegment = { id: string; name: string; filter?: Group }

/**
 * Adds a segment, with a filter one that is due for its first pass; null where the project has `most` already. The transaction holds
 * the lock of the project. Raw, because a transaction of Prisma takes twice as long.
 */
export async function insertSegment(
  projectId: string,
  { id, name, filter }: NewSegment,
  most: number,
  on: Queryable,
): Promise<CountedSegment | null> {
  const passes = filter !== undefined
  const [row] = await rowsOf<CountedSegment>(
    on,
    Prisma.sql`INSERT INTO segments AS s (id, project_id, name, filter, filter_version, pass_attempt, pass_due_at, watches_events)
      SELECT ${id}::uuid, ${projectId}::uuid, ${name}, ${passes ? JSON.stringify(filter) : null}::jsonb, ${Number(passes)}::int,
        ${Number(passes)}::int, CASE WHEN ${passes}::boolean THEN transaction_timestamp() END,
        ${passes && watchesEvents(filter)}::boolean
      WHERE (SELECT count(*) FROM segments WHERE project_id = ${projectId}::uuid AND deleted_at IS NULL) < ${most}::int
      RETURNING ${Prisma.raw(columnsOf(shape, "s"))}, s.contact_count AS "contactCount",
        s.unsubscribed_count AS "unsubscribedCount"`,
    { often: true },
  )
  return row ?? null
}

export type AudienceCounts = Pick<Prisma.AudienceTotalGetPayload<object>, "contacts" | "unsubscribed">

/** The counts of a project's contacts. Raw, for the same reason as those of segments. */
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
  deletedAt: true,
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
