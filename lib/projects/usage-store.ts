import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

export type Used = { dailySends: number; maxDomains: number; maxApiKeys: number; maxWebhooks: number }

/** How much of its limits a project uses now. */
export async function usedOf({ project: { id: projectId, organizationId } }: Scope): Promise<Used> {
  const all = unscoped()
  const now = await databaseTime()
  const [sends, maxDomains, maxApiKeys, maxWebhooks] = await Promise.all([
    all.quotaDay.findUnique({
      where: { organizationId_day: { organizationId, day: new Date(now.toISOString().slice(0, 10)) } },
      select: { used: true },
    }),
    all.domain.count({ where: { projectId } }),
    all.apiKey.count({ where: { projectId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] } }),
    all.webhook.count({ where: { projectId, deletedAt: null } }),
  ])
  return { dailySends: sends?.used ?? 0, maxDomains, maxApiKeys, maxWebhooks }
}
