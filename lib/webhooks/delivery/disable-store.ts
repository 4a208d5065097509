import { addSystemAudit } from "@/lib/access/audit-store"
import { changeAndTell } from "@/lib/access/system-mail/notices-store"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { encodeId } from "@/lib/platform/ids"
import { cancelWaiting } from "@/lib/webhooks/webhook-sql"

/** Why the worker disables a webhook. */
export type DisabledBy = "gone" | "failing"

/** Disables a webhook, cancels what waits for it, and tells the owners; does nothing where it is disabled already. */
export async function disable(of: { webhookId: string; projectId: string }, reason: DisabledBy): Promise<void> {
  const { webhookId, projectId } = of
  await changeAndTell(projectId, async (tx, { organizationId }) => {
    const now = await databaseTime(tx)
    const [webhook] = await tx.webhook.updateManyAndReturn({
      where: { id: webhookId, disabledAt: null, deletedAt: null },
      data: { disabledAt: now, disabledReason: reason },
      select: { name: true, url: true },
    })
    if (!webhook) return null
    await cancelWaiting({ project: { id: projectId } }, webhookId, now, tx)
    const changes = { enabled: false, reason }
    const entry = { action: "webhook.disabled", target: encodeId("whk", webhookId), changes }
    await addSystemAudit({ organizationId, projectId }, entry, tx)
    const { host } = new URL(webhook.url)
    return {
      notice: { kind: "webhook-disabled", webhook: webhook.name, host, reason },
      page: `webhooks/${encodeId("whk", webhookId)}`,
    }
  })
}
