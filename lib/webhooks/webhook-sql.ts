import type { Scope } from "@/lib/platform/http/scope"
import type { InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/** Waiting deliveries that a change cancels at once; the sweep cancels the rest. */
const cancelledAtOnceMax = 5_000

/** Locks a webhook and reads its secret; null when there is none. Raw, because Prisma has no row locks. */
export async function lockSecret(scope: Scope, id: string, tx: ScopedDb): Promise<Uint8Array | null> {
  const [row] = await tx.$queryRaw<{ secret: Uint8Array }[]>`
    SELECT secret FROM webhooks WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid AND deleted_at IS NULL
      FOR NO KEY UPDATE`
  return row?.secret ?? null
}

/** The former secret signs for 24 hours more. Raw, because Prisma can copy no column and write no time of the database. */
export async function replaceSecret(scope: Scope, id: string, sealed: Buffer, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhooks SET former_secret = secret, former_secret_until = now() + interval '24 hours', secret = ${sealed}
      WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid`
}

/** Enabling forgets earlier failures. Raw, because Prisma cannot write the database's time. */
export async function setEnabled(scope: Scope, id: string, enabled: boolean, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhooks SET disabled_at = CASE WHEN ${enabled}::boolean THEN NULL ELSE now() END,
        disabled_reason = CASE WHEN ${enabled}::boolean THEN NULL ELSE 'paused' END, failing_since = NULL
      WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid AND (disabled_at IS NULL) <> ${enabled}::boolean`
  if (!enabled) await cancelWaiting(scope, id, tx)
}

/** Hides a webhook and destroys its secrets; false when there is none. Raw, because Prisma cannot write the database's time. */
export async function markDeleted(scope: Scope, id: string, tx: ScopedDb): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE webhooks SET deleted_at = now(), secret = '', former_secret = NULL, former_secret_until = NULL
      WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid AND deleted_at IS NULL`
  return count === 1
}

/** Cancels deliveries that wait; one that is under way ends by itself. Raw, because Prisma has no SKIP LOCKED. */
export async function cancelWaiting(scope: InProject, id: string, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_deliveries SET status = 'cancelled', due_at = NULL, updated_at = now() WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE project_id = ${scope.project.id}::uuid AND webhook_id = ${id}::uuid
        AND due_at IS NOT NULL AND status = 'pending' AND replay = 0 AND event_type <> 'webhook.test' LIMIT ${cancelledAtOnceMax} FOR UPDATE SKIP LOCKED)`
}
