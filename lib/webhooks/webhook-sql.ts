import type { InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { Prisma } from "@/prisma/generated/client"

/** Deliveries that wait and end when their webhook is disabled; what a person asked for is sent all the same. */
export const endsWithWebhook =
  "due_at IS NOT NULL AND status = 'pending' AND replay = 0 AND event_type <> 'webhook.test'"

/** Waiting deliveries that a change cancels at once; the sweep cancels the rest. */
const cancelledAtOnceMax = 5_000

/** Cancels deliveries that wait; one that is under way ends by itself. Raw, because Prisma has no SKIP LOCKED. */
export async function cancelWaiting(scope: InProject, id: string, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_deliveries SET status = 'cancelled', due_at = NULL, updated_at = now() WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE project_id = ${scope.project.id}::uuid AND webhook_id = ${id}::uuid
        AND ${Prisma.raw(endsWithWebhook)} LIMIT ${cancelledAtOnceMax} FOR UPDATE SKIP LOCKED)`
}
