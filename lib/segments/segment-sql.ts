import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import { filterStatementMs } from "@/lib/segments/compile"
import type { Group } from "@/lib/segments/rules"
import { Prisma } from "@/prisma/generated/client"

export type SegmentCounts = Pick<Prisma.SegmentGetPayload<object>, "contactCount" | "unsubscribedCount">

export const noCounts: SegmentCounts = { contactCount: 0, unsubscribedCount: 0 }

/**
 * The counts of segments by id. Raw, because the counters and the changes that are not folded into them yet
 * (`waiting_counts`) are exact only within one statement.
 */
export async function countsOf(
  projectId: string,
  ids: readonly string[],
  on: Connection = pool(),
): Promise<ReadonlyMap<string, SegmentCounts>> {
  const rows = await rowsOf<{ id: string } & SegmentCounts>(
    on,
    Prisma.sql`SELECT s.id, s.contact_count + w.included AS "contactCount", s.unsubscribed_count + w.opposed AS "unsubscribedCount"
      FROM segments s CROSS JOIN LATERAL waiting_counts(s.id) w
      WHERE s.project_id = ${projectId}::uuid AND s.id = ANY (${ids}::uuid[])`,
  )
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

export type AudienceCounts = Pick<Prisma.AudienceTotalGetPayload<object>, "contacts" | "unsubscribed">

/** The counts of a project's contacts. Raw, for the same reason as those of segments. */
export async function audienceCounts(projectId: string, on: Connection = pool()): Promise<AudienceCounts> {
  const [counts] = await rowsOf<AudienceCounts>(
    on,
    Prisma.sql`SELECT coalesce(a.contacts, 0) + w.included AS contacts, coalesce(a.unsubscribed, 0) + w.opposed AS unsubscribed
      FROM waiting_counts(${projectId}::uuid) w LEFT JOIN audience_totals a ON a.project_id = ${projectId}::uuid`,
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
 * in the transaction take at most `filterStatementMs`. Raw, because Prisma has no row locks.
 */
export async function lockSegment(
  projectId: string,
  id: string,
  on: Connection,
  { limited = false } = {},
): Promise<LockedSegment | null> {
  const limit = limited
    ? Prisma.sql`, set_config('statement_timeout', ${String(filterStatementMs)}::text, true)`
    : Prisma.empty
  const [row] = await rowsOf<LockedSegment>(
    on,
    Prisma.sql`SELECT ${Prisma.raw(columnsOf(locked, "s"))} ${limit} FROM segments s
      WHERE s.project_id = ${projectId}::uuid AND s.id = ${id}::uuid FOR NO KEY UPDATE`,
  )
  return row ?? null
}
