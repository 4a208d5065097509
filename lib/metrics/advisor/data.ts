import { addSystemAudit } from "@/lib/access/audit/data"
import type { AuditAction } from "@/lib/access/audit/rules"
import { projectToTell, tellOwners } from "@/lib/access/system-mail/data"
import type { RateCause } from "@/lib/access/system-mail/system-mail"
import { dmarcStandings } from "@/lib/domains/dmarc/data"
import type { AdvisorFacts, AdvisorFinding } from "@/lib/metrics/advisor/finding-types"
import { rateFactsOf, largestCause, type RateTold } from "@/lib/metrics/advisor/rules"
import { everyCounter, sumRanges, sumSlices, toCounts } from "@/lib/metrics/data"
import { providerName } from "@/lib/metrics/provider-rules"
import {
  type Breakdown,
  type Counts,
  type FindingSlice,
  noCounts,
  otherKey,
  type Range,
  windowOf,
} from "@/lib/metrics/rules"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { dayMs } from "@/lib/platform/time"
import { topicNames } from "@/lib/topics/data"
import type { Prisma } from "@/prisma/generated/client"

/** Of each kind of fault. */
const domainsMeasured = 10

/** The sending domains of all projects with the most bounces and those with the most complaints, at most ten of each. */
export async function domainsWithMostFaults({
  from,
  to,
}: Range): Promise<{ domain: string; sent: number; bounced: number; complained: number }[]> {
  const most = async (fault: "bounced" | "complained") => {
    const rows = await unscoped().metricSlice.groupBy({
      by: ["key"],
      where: {
        ...{ dimension: "domain" satisfies Breakdown, grain: "hour", startsAt: { gte: from, lt: to } },
        key: { not: otherKey },
      },
      _sum: { sent: true, bounced: true, complained: true },
      orderBy: { _sum: { [fault]: "desc" } },
      take: domainsMeasured,
    })
    return rows
      .map(({ key: domain, _sum }) => ({
        domain,
        ...{ sent: _sum.sent ?? 0, bounced: _sum.bounced ?? 0, complained: _sum.complained ?? 0 },
      }))
      .filter((row) => row[fault] > 0)
  }
  const rows = await Promise.all([most("bounced"), most("complained")])
  return [...new Map(rows.flat().map((row) => [row.domain, row])).values()]
}

/** What the advisor judges by: counters, reports and the state of domains, never single emails. */
export async function advisorFactsOf(scope: Scope, now: Date): Promise<AdvisorFacts> {
  const month = windowOf("30d", now)
  const day = windowOf("24h", now)
  const week = { from: new Date(day.from.getTime() - 7 * dayMs), to: day.from }
  const [[counts, today, before], last, standings, refused, withoutRecords, clippedEmailId, htmlOnlyEmailId] =
    await Promise.all([
      sumRanges(scope, [month, day, week]),
      lastSentHour(scope),
      dmarcStandings(scope),
      sumSlices(scope, "refusal" satisfies FindingSlice, month, { top: 5 }),
      db(scope).domain.findMany({
        where: { status: { in: ["degraded", "failed"] } },
        select: { id: true, name: true, status: true },
        orderBy: { name: "asc" },
      }),
      latestWith(scope, "clipped", month),
      latestWith(scope, "htmlOnly", month),
    ])
  return {
    month: counts,
    sent24h: today.sent,
    dailyMean7d: before.sent / 7,
    daysSinceLastSend: last && Math.floor((now.getTime() - last.getTime()) / dayMs),
    dmarc: standings.map((standing) => ({ ...standing, domainId: encodeId("dom", standing.domainId) })),
    refusals: await refusalsOf(scope, refused),
    withoutRecords: withoutRecords.map(({ id, name, status }) => ({
      ...{ id: encodeId("dom", id), domain: name, failed: status === "failed" },
    })),
    clippedEmailId,
    htmlOnlyEmailId,
  }
}

/** The last hour with an answered delivery, in the order of the key. */
async function lastSentHour(scope: Scope): Promise<Date | null> {
  const row = await db(scope).metricHour.findFirst({
    where: { sent: { gt: 0 } },
    select: { hour: true },
    orderBy: { hour: "desc" },
  })
  return row?.hour ?? null
}

/** The example of a fault: an email of the last day with it. */
async function latestWith(scope: Scope, dimension: FindingSlice, { from }: Range): Promise<string | null> {
  const row = await db(scope).metricSlice.findFirst({
    where: { dimension, grain: "day", startsAt: { gte: from }, key: { not: "" } },
    select: { key: true },
    orderBy: { startsAt: "desc" },
  })
  return row && encodeId("email", row.key)
}

async function refusalsOf(
  scope: Scope,
  sums: Awaited<ReturnType<typeof sumSlices>>,
): Promise<AdvisorFacts["refusals"]> {
  const named = sums.flatMap(({ key, refusedOurs }) => {
    const [code, domain] = key?.split(" ") ?? []
    return code && domain ? [{ code, domain, count: refusedOurs }] : []
  })
  if (named.length === 0) return []
  const domains = await db(scope).domain.findMany({
    where: { name: { in: named.map(({ domain }) => domain) } },
    select: { id: true, name: true },
  })
  const ids = new Map(domains.map(({ id, name }) => [name, encodeId("dom", id)]))
  return named
    .map((one) => ({ ...one, ...(ids.has(one.domain) ? { domainId: ids.get(one.domain) ?? "" } : {}) }))
    .toSorted((a, b) => b.count - a.count)
}

/** Without a bounce or complaint in this time, a rate is no news. */
const freshMs = dayMs

/** Keys of a breakdown that are compared. */
const keysMax = 200

/** Active projects after this one, by id, with bounces or complaints in the last day or a critical rate that was told. */
export async function projectsToJudge(after: string | null, now: Date, limit: number): Promise<string[]> {
  const failing = { OR: [{ bounced: { gt: 0 } }, { complained: { gt: 0 } }] }
  const rows = await unscoped().project.findMany({
    where: {
      ...(after && { id: { gt: after } }),
      ...{ suspendedAt: null, deletedAt: null },
      OR: [
        { metricHours: { some: { hour: { gte: new Date(now.getTime() - freshMs) }, ...failing } } },
        { rateNotices: { some: { recoveredAt: null } } },
      ],
    },
    select: { id: true },
    orderBy: { id: "asc" },
    take: limit,
  })
  return rows.map(({ id }) => id)
}

/** The counts of a project, and the notifications sent about its rates, by code. */
export type Standing = { projectId: string; month: Counts; told: ReadonlyMap<string, RateTold> }

/** The standings of these projects in two statements, each over one row an hour and project. */
export async function standingsOf(projectIds: readonly string[], { from, to }: Range): Promise<Standing[]> {
  const projectId = { in: [...projectIds] }
  const [sums, notices] = await Promise.all([
    unscoped().metricHour.groupBy({
      by: "projectId",
      where: { projectId, hour: { gte: from, lt: to } },
      _sum: everyCounter,
    }),
    unscoped().rateNotice.findMany({
      where: { projectId },
      select: { projectId: true, code: true, toldAt: true, recoveredAt: true },
    }),
  ])
  const counts = new Map(sums.map((row) => [row.projectId, toCounts(row._sum)]))
  return projectIds.map((id) => {
    const told = notices.filter((notice) => notice.projectId === id)
    return {
      projectId: id,
      month: counts.get(id) ?? noCounts(),
      told: new Map(told.map(({ code, toldAt, recoveredAt }) => [code, { toldAt, recoveredAt }])),
    }
  })
}

/** Notes that these rates are no longer critical. */
export async function noteRecovery(projectId: string, codes: readonly string[], recoveredAt: Date): Promise<void> {
  const where = { code: { in: [...codes] }, recoveredAt: null }
  await db({ project: { id: projectId } }).rateNotice.updateMany({ where, data: { recoveredAt } })
}

/** The finding that is told: the advisor names no other rate critical. */
function actionOf(code: string): AuditAction {
  return code === "complaint_rate_critical" ? "project.complaint_rate_critical" : "project.bounce_rate_critical"
}

type Critical = { finding: AdvisorFinding; last: RateTold | undefined; month: Counts; range: Range }

/** Notifies the owners of a critical rate, unless another worker has done so since `last` was read. */
export async function tellOfRate(projectId: string, { finding, last, ...at }: Critical): Promise<void> {
  const { code, data } = finding
  const facts = rateFactsOf(at.month, code === "complaint_rate_critical" ? "complaints" : "bounces")
  const cause = await causeOf(projectId, facts, at.range)
  await unscopedTransaction(async (tx) => {
    const project = await projectToTell(projectId, tx)
    if (!project || !(await claim(project, code, last, tx))) return
    const target = encodeId("proj", projectId)
    const place = { organizationId: project.organizationId, projectId }
    await addSystemAudit(
      place,
      { action: actionOf(code), target, name: project.name, changes: data },
      db({ project }, tx),
    )
    await tellOwners(project, { notice: { kind: "rate-critical", ...facts, cause }, page: "metrics#advisor" }, tx)
  })
}

/** The row decides between workers that judge at once. */
async function claim(project: { id: string }, code: string, last: RateTold | undefined, tx: Prisma.TransactionClient) {
  const notices = db({ project }, tx).rateNotice
  const { count } = last
    ? await notices.updateMany({
        where: { code, ...last },
        data: { toldAt: await databaseTime(tx), recoveredAt: null },
      })
    : await notices.createMany({ data: { code }, skipDuplicates: true })
  return count > 0
}

async function causeOf(
  projectId: string,
  { rate, ...total }: ReturnType<typeof rateFactsOf>,
  range: Range,
): Promise<RateCause | null> {
  const scope = { project: { id: projectId } }
  const sums = await Promise.all(
    breakdowns.map(async (by) => ({ by, rows: await sumSlices(scope, by, range, { top: keysMax }) })),
  )
  const parts = sums.flatMap(({ by, rows }) =>
    rows.flatMap((row) => {
      const { count, of } = rateFactsOf(row, rate)
      return row.key === null ? [] : { by, key: row.key, count, of }
    }),
  )
  const cause = largestCause(parts, total)
  return cause && { by: cause.by, name: await nameOf(scope, cause), count: cause.count }
}

/** Where two explain as much, the first. */
const breakdowns: readonly Breakdown[] = ["topic", "tag", "domain", "provider"]

/** What people call it; null is a topic that was deleted. */
async function nameOf(scope: InProject, { by, key }: { by: Breakdown; key: string }): Promise<string | null> {
  if (by === "topic") return (await topicNames(scope, [key])).get(key) ?? null
  return by === "provider" ? providerName(key) : key
}
