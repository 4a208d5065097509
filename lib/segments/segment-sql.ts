import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import type { Scope } from "@/lib/platform/http/scope"
import { watchesEvents, type Group } from "@/lib/segments/rules"

export type SegmentCounts = { contactCount: number; unsubscribedCount: number }

export const noCounts: SegmentCounts = { contactCount: 0, unsubscribedCount: 0 }

/**
 * The counts of segments by id. Raw, because the counters and the changes that are not folded into them yet
 * (`waiting_counts`) are exact only within one statement.
 */
export async function countsOf(scope: Scope, ids: string[]): Promise<ReadonlyMap<string, SegmentCounts>> {
  const rows = await db(scope).$queryRaw<({ id: string } & SegmentCounts)[]>`
    SELECT s.id, s.contact_count + w.included AS "contactCount", s.unsubscribed_count + w.opposed AS "unsubscribedCount"
      FROM segments s CROSS JOIN LATERAL waiting_counts(s.id) w
      WHERE s.project_id = ${scope.project.id}::uuid AND s.id = ANY (${ids}::uuid[])`
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/**
 * Locks a segment and answers whether this filter differs from its own; null if there is no such segment. Raw, because
 * Prisma has no row locks.
 */
export async function lockSegment(
  scope: Scope,
  id: string,
  filter: Group | null,
  tx: ScopedDb,
): Promise<{ filterDiffers: boolean } | null> {
  const [row] = await tx.$queryRaw<{ filterDiffers: boolean }[]>`
    SELECT filter IS DISTINCT FROM ${filter && JSON.stringify(filter)}::jsonb AS "filterDiffers" FROM segments
      WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`
  return row ?? null
}

/** Sets a filter, whose pass is due at once. Raw, because Prisma cannot write the database's time. */
export async function setFilter(scope: Scope, id: string, filter: Group | null, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE segments SET filter = ${filter && JSON.stringify(filter)}::jsonb, filter_version = filter_version + 1,
        watches_events = ${filter !== null && watchesEvents(filter)}, pass_due_at = now(), pass_attempt = pass_attempt + 1,
        pass_cursor = NULL, pass_done = 0, pass_total = 0
      WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid`
}

/**
 * Hides a segment and frees its name; without its filter nothing adds members to it any more. False when there is none.
 * Raw, because Prisma cannot write the database's time.
 */
export async function markDeleted(scope: Scope, id: string, tx: ScopedDb): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE segments SET deleted_at = now(), name = 'deleted ' || id, filter = NULL, watches_events = false,
        pass_due_at = NULL, pass_attempt = pass_attempt + 1
      WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid AND deleted_at IS NULL`
  return count === 1
}
