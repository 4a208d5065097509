import type { Scope } from "@/lib/platform/http/scope"
import type { InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { Prisma } from "@/prisma/generated/client"

/** Deliveries that wait and end when their webhook is disabled; what a person asked for is sent all the same. */
export const endsWithWebhook =
  "due_at IS NOT NULL AND status = 'pending' AND replay = 0 AND event_type <> 'webhook.test'"

/** Waiting deliveries that a change cancels at once; the sweep cancels the rest. */
const cancelledAtOnceMax = 5_000

/** Locks a webhook and reads its secret; null when there is none. Raw, because Prisma has no row locks. */
export async function lockSecret(scope: Scope, id: string, tx: ScopedDb): Promise<Uint8Array | null> {
  const [row] = await tx.$queryRaw<{ secret: Uint8Array }[]>`
    SELECT secret FROM webhooks WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid AND deleted_at IS NULL
      FOR NO KEY UPDATE`
  return row?.secret ?? null
}

/** Cancels deliveries that wait; one that is under way ends by itself. Raw, because Prisma has no SKIP LOCKED. */
export async function cancelWaiting(scope: InProject, id: string, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_deliveries SET status = 'cancelled', due_at = NULL, updated_at = now() WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE project_id = ${scope.project.id}::uuid AND webhook_id = ${id}::uuid
        AND ${Prisma.raw(endsWithWebhook)} LIMIT ${cancelledAtOnceMax} FOR UPDATE SKIP LOCKED)`
}
