import { engagementsOf } from "@/lib/contacts/engagement/score-sql"
import { scoreOf } from "@/lib/contacts/rules"
import type { EngagementScore } from "@/lib/contacts/schema"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

/** The score that was stored since `since`; null where there is none. */
export async function storedScore(scope: Scope, contactId: string, since: Date): Promise<EngagementScore | null> {
  const row = await db(scope).contact.findUnique({
    where: { id: contactId, scoredAt: { gte: since } },
    select: { engagementScore: true, engagementTier: true, scoredAt: true },
  })
  if (!row?.scoredAt || row.engagementScore === null || row.engagementTier === null) return null
  return { object: "engagement_score", score: row.engagementScore, tier: row.engagementTier, scoredAt: row.scoredAt }
}

/** Computes the score of a contact from its mail of the last 90 days and stores it; null for one that never had mail. */
export async function refreshScore(
  scope: Scope,
  contactId: string,
  email: string,
  now: Date,
): Promise<EngagementScore | null> {
  return db(scope).$transaction(async (tx) => {
    const [engagement] = await engagementsOf([{ projectId: scope.project.id, email }], now, tx)
    if (!engagement?.known) return null
    const { score, tier } = scoreOf(engagement)
    const data = { engagementScore: score, engagementTier: tier, scoredAt: now }
    await tx.contact.updateMany({ where: { id: contactId }, data })
    return { object: "engagement_score", score, tier, scoredAt: now }
  })
}
