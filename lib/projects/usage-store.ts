import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

export type Used = { maxDomains: number; maxApiKeys: number; maxWebhooks: number }

/** How many things of each limited kind a project has now. */
export async function usedOf({ project: { id: projectId } }: Scope): Promise<Used> {
  const all = unscoped()
  const now = await databaseTime()
  const [maxDomains, maxApiKeys, maxWebhooks] = await Promise.all([
    all.domain.count({ where: { projectId } }),
    all.apiKey.count({ where: { projectId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] } }),
    all.webhook.count({ where: { projectId, deletedAt: null } }),
  ])
  return { maxDomains, maxApiKeys, maxWebhooks }
}
