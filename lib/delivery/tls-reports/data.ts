import type { CountedSessions } from "@/lib/delivery/tls-reports/report"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"

/** `claimed` where a worker has begun and not ended, `not_asked` where the domain wants no reports. */
export type ReportStatus = "claimed" | "not_asked" | "sent" | "failed"

/** Whether there is a domain whose mail servers were connected to on this day, and whose report no worker has claimed. */
export async function hasUnclaimed(day: Date): Promise<boolean> {
  return (await unclaimed(day, 1)).length > 0
}

/** Claims the reports of some domains: each is claimed once, so a domain gets one a day at most, and at most `dayMax` go out in all. */
export function claimReports(day: Date, { limit, dayMax }: { limit: number; dayMax: number }): Promise<string[]> {
  return unscopedTransaction(async (tx) => {
    await takeLock("mailroom.tls_reports", tx)
    const gone = await tx.tlsReportSend.count({ where: { day, status: { not: "not_asked" } } })
    const domains = await unclaimed(day, Math.min(limit, dayMax - gone), tx)
    await tx.tlsReportSend.createMany({ data: domains.map((domain) => ({ day, domain })) })
    return domains
  })
}

/** They are claimed in the order of their names. */
async function unclaimed(
  day: Date,
  limit: number,
  on: Pick<ReturnType<typeof unscoped>, "tlsReportSend" | "tlsResult"> = unscoped(),
): Promise<string[]> {
  if (limit <= 0) return []
  const { _max } = await on.tlsReportSend.aggregate({ where: { day }, _max: { domain: true } })
  const rows = await on.tlsResult.groupBy({
    by: ["domain"],
    where: { day, domain: { gt: _max.domain ?? "" } },
    orderBy: { domain: "asc" },
    take: limit,
  })
  return rows.map(({ domain }) => domain)
}

const countedMax = 1_000

export function countedSessions(day: Date, domain: string): Promise<CountedSessions[]> {
  return unscoped().tlsResult.findMany({
    where: { day, domain },
    select: { policyType: true, policy: true, host: true, result: true, sessions: true },
    orderBy: { sessions: "desc" },
    take: countedMax,
  })
}

export type ReportEnd = { status: ReportStatus; target?: string; diagnostic?: string }

export async function noteReport(day: Date, domain: string, end: ReportEnd): Promise<void> {
  const endedAt = await databaseTime()
  await unscoped().tlsReportSend.update({ where: { day_domain: { day, domain } }, data: { ...end, endedAt } })
}
