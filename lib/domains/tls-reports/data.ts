import { dayText, firstDay } from "@/lib/domains/dmarc/data"
import { belongsTo, periodFault } from "@/lib/domains/dmarc/rules"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"
import { lastOf, lastShape, senderOf, type LastByMail, type ReportSender } from "@/lib/domains/dmarc/schema"
import type { ReportedDomain } from "@/lib/domains/reports"
import type { TlsReportItem, TlsSummary } from "@/lib/domains/tls-reports/schema"
import type { TlsPolicyResult, TlsReport } from "@/lib/domains/tls-reports/tls-report"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { type CursorSlice, cursorSlice, newestFirst, type CursorPosition } from "@/lib/platform/http/cursors"
import { newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  projectId: false,
  domainId: false,
  reporter: true,
  reportId: true,
  contact: true,
  beganAt: true,
  endedAt: true,
  day: false,
  succeeded: true,
  failed: true,
  source: true,
  sender: true,
  createdAt: true,
} as const satisfies Record<Prisma.TlsReportScalarFieldEnum, boolean>

const failuresShown = 100

/**
 * Stores a report with the sessions that belong to the domain; `added` is false when this reporter's report is stored already.
 * @throws ReportRefused for a report about another domain or another time
 */
export async function addTlsReport(
  scope: InProject,
  { id: domainId, domain }: ReportedDomain,
  report: TlsReport,
  { now, sender }: { now: Date; sender?: ReportSender },
): Promise<{ added: boolean; succeeded: number; failed: number }> {
  const policies = report.policies.filter((policy) => belongsTo(policy.domain, domain))
  if (policies.length === 0) {
    const about = report.policies[0]?.domain ?? "no domain"
    throw new ReportRefused(`The report is about ${about} and says nothing of ${domain}.`, "other_domain")
  }
  const fault = periodFault(report, now)
  if (fault) throw new ReportRefused(fault, "other_period")
  const sum = (of: "succeeded" | "failed") => policies.reduce((total, policy) => total + policy[of], 0)
  const [succeeded, failed] = [sum("succeeded"), sum("failed")]
  const { reporter, reportId, contact, beganAt, endedAt } = report
  const day = new Date(dayText(new Date((beganAt.getTime() + endedAt.getTime()) / 2)))
  const added = await db(scope).$transaction(async (tx) => {
    const id = newId()
    const { count } = await tx.tlsReport.createMany({
      data: {
        ...{ id, domainId, reporter, reportId, contact, beganAt, endedAt, day, succeeded, failed },
        ...(sender && { source: "mail", sender }),
      },
      skipDuplicates: true,
    })
    if (count === 0) return false
    await tx.tlsReportResult.createMany({
      data: failuresOf(policies).map((failure, index) => ({
        ...failure,
        reportId: id,
        ordinal: index + 1,
        domainId,
        day,
      })),
    })
    return true
  })
  return { added, succeeded, failed }
}

type Failure = { policyType: string; result: string; host: string | null; sessions: number }

/** Failures that differ in nothing that is kept are one row. */
function failuresOf(policies: readonly TlsPolicyResult[]): Failure[] {
  const groups = new Map<string, Failure>()
  for (const { type: policyType, failures } of policies)
    for (const { result, receivingHost, sessions } of failures) {
      const host = receivingHost && receivingHost.toLowerCase()
      const key = JSON.stringify([policyType, result, host])
      const group = groups.get(key)
      if (group) group.sessions += sessions
      else groups.set(key, { policyType, result, host, sessions })
    }
  return [...groups.values()]
}

/** Reports about a domain, those that came last first. */
export async function findTlsReports(
  scope: InProject,
  domainId: string,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<TlsReportItem>> {
  const { orderBy, beyond, beside } = newestFirst(position)
  const [rows, other] = await Promise.all([
    db(scope).tlsReport.findMany({
      where: { domainId, ...beyond },
      select: shape,
      orderBy,
      take: size + 1,
    }),
    beside ? db(scope).tlsReport.findFirst({ where: { domainId, ...beside }, select: { id: true } }) : null,
  ])
  return cursorSlice(position, size, rows.map(toReport), other !== null)
}

function toReport(row: Prisma.TlsReportGetPayload<{ select: typeof shape }>): TlsReportItem {
  return shown<TlsReportItem>()({
    ...row,
    contact: present(row.contact),
    succeeded: Number(row.succeeded),
    failed: Number(row.failed),
    source: row.source as TlsReportItem["source"],
    sender: senderOf(row.sender),
  })
}

/** The last report that came by mail. */
export async function lastTlsByMail(scope: InProject, domainId: string): Promise<LastByMail | undefined> {
  const row = await db(scope).tlsReport.findFirst({
    where: { domainId, source: "mail" },
    select: lastShape,
    orderBy: { id: "desc" },
  })
  return lastOf(row)
}

/** What the reports of the last 30 days count. */
export async function tlsSummary(scope: InProject, { id: domainId, domain }: ReportedDomain): Promise<TlsSummary> {
  const from = await firstDay()
  const where = { domainId, day: { gte: from } }
  const [days, reporters, failures] = await Promise.all([
    db(scope).tlsReport.groupBy({
      by: ["day"],
      where,
      _count: true,
      _sum: { succeeded: true, failed: true },
      orderBy: { day: "asc" },
    }),
    db(scope).tlsReport.groupBy({ by: ["reporter"], where, orderBy: { reporter: "asc" } }),
    db(scope).tlsReportResult.groupBy({
      by: ["result", "policyType", "host"],
      where,
      _sum: { sessions: true },
      orderBy: [{ _sum: { sessions: "desc" } }, { result: "asc" }],
      take: failuresShown,
    }),
  ])
  const timeline = days.map(({ day, _sum: { succeeded, failed } }) => ({
    day: dayText(day),
    succeeded: Number(succeeded),
    failed: Number(failed),
  }))
  const sum = (of: "succeeded" | "failed") => timeline.reduce((total, day) => total + day[of], 0)
  return {
    domain,
    from: dayText(from),
    reports: days.reduce((total, { _count: reports }) => total + reports, 0),
    reporters: reporters.length,
    succeeded: sum("succeeded"),
    failed: sum("failed"),
    failures: failures.map(({ result, policyType, host, _sum: { sessions } }) => ({
      result,
      policyType,
      host: present(host),
      sessions: Number(sessions),
    })),
    timeline,
  }
}
