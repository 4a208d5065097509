import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { audienceCounts } from "@/lib/segments/segment-sql"

/** How many there are of each thing in a project. Emails and contacts are read from their counters. */
export async function countsOf(scope: Scope) {
  const within = db(scope)
  const [
    allowance,
    { contacts },
    attention,
    sandbox,
    segments,
    topics,
    properties,
    suppressions,
    domains,
    webhooks,
    apiKeys,
  ] = await Promise.all([
    within.sendAllowance.findFirst({ select: { emails: true } }),
    audienceCounts(scope.project.id),
    attentionOf(scope),
    within.sandboxMessage.count(),
    within.segment.count({ where: { deletedAt: null } }),
    within.topic.count({ where: { deletedAt: null } }),
    within.contactProperty.count({ where: { deletedAt: null } }),
    within.suppression.count(),
    within.domain.count(),
    within.webhook.count({ where: { deletedAt: null } }),
    within.apiKey.count({ where: { revokedAt: null } }),
  ])
  const emails = Number(allowance?.emails ?? 0)
  return {
    emails,
    sandbox,
    contacts,
    segments,
    topics,
    properties,
    suppressions,
    domains,
    webhooks,
    apiKeys,
    attention,
  }
}

async function attentionOf(scope: Scope) {
  const within = db(scope)
  const [degraded, failed, failing, stopped] = await Promise.all([
    within.domain.count({ where: { status: "degraded" } }),
    within.domain.count({ where: { status: "failed" } }),
    within.webhook.count({ where: { deletedAt: null, disabledAt: null, failingSince: { not: null } } }),
    within.webhook.count({ where: { deletedAt: null, disabledReason: { in: ["gone", "failing"] } } }),
  ])
  return { domains: { degraded, failed }, webhooks: { failing, stopped } }
}
