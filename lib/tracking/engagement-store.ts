import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import type { Reading } from "@/lib/tracking/hits/reading-rules"
import type { Prisma } from "@/prisma/generated/client"

/** What is known of the reading of an email. */
export type EmailReading = {
  short: boolean
  readings: Reading[]
  readMs: number | null
  engagedAt: Date | null
  userAgent: string | null
}

/** Of an email that was not tracked, nothing is known. */
export async function findReading(scope: Scope, emailId: string): Promise<EmailReading> {
  const [tracked, engagement] = await Promise.all([
    db(scope).trackedEmail.findUnique({ where: { projectId_emailId: { emailId } }, select: { short: true } }),
    db(scope).emailEngagement.findUnique({
      where: { projectId_emailId: { emailId } },
      select: { readings: true, readMs: true, engagedAt: true, userAgent: true },
    }),
  ])
  const nothing = { readMs: null, engagedAt: null, userAgent: null }
  return { short: tracked?.short ?? false, ...(engagement ?? nothing), readings: readingsOf(engagement?.readings) }
}

/** This area alone writes them. */
function readingsOf(json: Prisma.JsonValue | undefined): Reading[] {
  return (json ?? []) as Reading[]
}

/** An average needs no more than the latest. */
const measuredMax = 10_000

/** Seconds that emails of a topic were read for, on average of those whose first reading was measured in a window; null for none. */
export async function averageReadSeconds(
  scope: Scope,
  topicId: string,
  { from, to }: { from: Date; to: Date },
): Promise<number | null> {
  const { _avg: average } = await db(scope).emailEngagement.aggregate({
    where: { topicId, readAt: { gte: from, lte: to } },
    orderBy: { readAt: "desc" },
    take: measuredMax,
    _avg: { readMs: true },
  })
  return average.readMs === null ? null : average.readMs / 1_000
}
