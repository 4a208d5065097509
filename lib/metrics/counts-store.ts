import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { audienceCounts } from "@/lib/segments/data"

/** How many there are of each thing in a project. Emails and contacts are read from their counters. */
export async function countsOf(scope: Scope) {
  const within = db(scope)
  const [allowance, { contacts }, sandbox, segments, topics, properties, suppressions, domains, webhooks, apiKeys] =
    await Promise.all([
      within.sendAllowance.findFirst({ select: { emails: true } }),
      audienceCounts(scope.project.id),
      within.sandboxMessage.count(),
      within.segment.count({ where: { deletedAt: null } }),
      within.topic.count({ where: { deletedAt: null } }),
      within.contactProperty.count({ where: { deletedAt: null } }),
      within.suppression.count(),
      domainCounts(scope),
      webhookCounts(scope),
      within.apiKey.count({ where: { revokedAt: null } }),
    ])
  return {
    ...{
      emails: Number(allowance?.emails ?? 0),
      sandbox,
      contacts,
      segments,
      topics,
      properties,
      suppressions,
      apiKeys,
    },
    ...{ domains: domains.all, webhooks: webhooks.all },
    attention: { domains: domains.attention, webhooks: webhooks.attention },
  }
}

async function domainCounts(scope: Scope) {
  const byStatus = await db(scope).domain.groupBy({ by: ["status"], _count: true })
  const of = (status: string) => byStatus.find((group) => group.status === status)?._count ?? 0
  const all = byStatus.reduce((sum, { _count }) => sum + _count, 0)
  return { all, attention: { degraded: of("degraded"), failed: of("failed") } }
}

async function webhookCounts(scope: Scope) {
  const webhook = db(scope).webhook
  const [all, failing, stopped] = await Promise.all([
    webhook.count({ where: { deletedAt: null } }),
    webhook.count({ where: { deletedAt: null, disabledAt: null, failingSince: { not: null } } }),
    webhook.count({ where: { deletedAt: null, disabledReason: { in: ["gone", "failing"] } } }),
  ])
  return { all, attention: { failing, stopped } }
}
