import { lockRows } from "@/lib/platform/database/locks-sql"
import type { InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { Prisma } from "@/prisma/generated/client"

/** Deliveries that wait and end when their webhook is disabled; what a person asked for is sent all the same. */
export const endsWithWebhook =
  "due_at IS NOT NULL AND status = 'pending' AND replay = 0 AND event_type <> 'webhook.test'"

/** Waiting deliveries that a change cancels at once; the sweep cancels the rest. */
const cancelledAtOnceMax = 5_000

/** Cancels deliveries that wait, at `now`, the time of the transaction; one that is under way ends by itself. */
export async function cancelWaiting({ project }: InProject, webhookId: string, now: Date, tx: ScopedDb): Promise<void> {
  const own = Prisma.sql`project_id = ${project.id}::uuid AND webhook_id = ${webhookId}::uuid`
  const where = Prisma.sql`${own} AND ${Prisma.raw(endsWithWebhook)}`
  const waiting = await lockRows<{ id: string }>(
    { columns: "id", table: "webhook_deliveries", where, limit: cancelledAtOnceMax, skipLocked: true },
    tx,
  )
  await tx.webhookDelivery.updateMany({
    where: { id: { in: waiting.map(({ id }) => id) } },
    data: { status: "cancelled", dueAt: null, updatedAt: now },
  })
}
