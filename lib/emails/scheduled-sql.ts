import type { InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import type { Scope } from "@/lib/platform/http/scope"

export type CancelledRow = { id: string; subject: string; toHeaders: string[]; cancelledAt: Date }

/**
 * Cancels up to 1,000 scheduled emails, all or those of these ids. Their status decides against a release at the same
 * moment. Raw, because Prisma has no row locks.
 */
export function cancelRows(scope: Scope, emailIds: string[] | null, tx: ScopedDb): Promise<CancelledRow[]> {
  return tx.$queryRaw<CancelledRow[]>`
    UPDATE emails SET status = 'cancelled', due_at = NULL, updated_at = now() WHERE id IN (
        SELECT id FROM emails WHERE project_id = ${scope.project.id}::uuid AND due_at IS NOT NULL AND status = 'scheduled'
          AND (${emailIds}::uuid[] IS NULL OR id = ANY (${emailIds}::uuid[])) ORDER BY id LIMIT 1000 FOR UPDATE
      ) AND status = 'scheduled' RETURNING id, subject, to_headers AS "toHeaders", updated_at AS "cancelledAt"`
}

export type MovedRow = { subject: string; toHeaders: string[]; previously: Date }

/**
 * Moves a scheduled email to another time; a wait for the allowance is over with it. Null if it is no longer scheduled:
 * its status decides against a release or a cancel at the same moment. Raw, because Prisma has no row locks.
 */
export async function moveRow(scope: Scope, emailId: string, at: Date, tx: ScopedDb): Promise<MovedRow | null> {
  const [row] = await tx.$queryRaw<MovedRow[]>`
    UPDATE emails e SET scheduled_at = ${at}::timestamptz, due_at = ${at}::timestamptz, error = NULL, updated_at = now(),
        admitted_for = coalesce(e.admitted_for, e.scheduled_at)
      FROM (SELECT id, scheduled_at FROM emails WHERE project_id = ${scope.project.id}::uuid AND id = ${emailId}::uuid
          AND due_at IS NOT NULL AND status = 'scheduled' FOR UPDATE) held
      WHERE e.project_id = ${scope.project.id}::uuid AND e.id = held.id
      RETURNING e.subject, e.to_headers AS "toHeaders", held.scheduled_at AS previously`
  return row ?? null
}

/**
 * Gives up to `most` due emails without a reason the one why they wait. Raw, because Prisma has neither SKIP LOCKED nor the
 * database's time in a filter.
 */
export async function explainWait(scope: InProject, reason: string, most: number, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE emails SET error = ${reason} WHERE id IN (
        SELECT id FROM emails WHERE project_id = ${scope.project.id}::uuid AND due_at <= now() AND status = 'scheduled'
          AND error IS NULL ORDER BY due_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED)`
}
