import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { cancelWaiting } from "@/lib/webhooks/webhook-sql"

type Disabled = { name: string; url: string }

/** Null where the webhook is disabled or deleted already. Raw, because Prisma cannot write the database's time. */
export async function markDisabled(
  projectId: string,
  webhookId: string,
  reason: string,
  tx: ScopedDb,
): Promise<Disabled | null> {
  const [row] = await tx.$queryRaw<Disabled[]>`
    UPDATE webhooks SET disabled_at = now(), disabled_reason = ${reason}
      WHERE project_id = ${projectId}::uuid AND id = ${webhookId}::uuid AND disabled_at IS NULL AND deleted_at IS NULL
      RETURNING name, url`
  if (row) await cancelWaiting({ project: { id: projectId } }, webhookId, tx)
  return row ?? null
}
