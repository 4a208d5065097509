import { addSystemAudit } from "@/lib/access/audit/data"
import { projectToTell, tellOwners } from "@/lib/access/system-mail/data"
import { dmarcStandings } from "@/lib/domains/dmarc/data"
import type { AdvisorFacts, AdvisorFinding } from "@/lib/metrics/advisor/rules"
import { causeText, largestCause, type Part, type RateTold } from "@/lib/metrics/advisor/notice-rules"
import { everyCounter, sumRanges, sumSlices, toCounts } from "@/lib/metrics/data"
import { providerName } from "@/lib/metrics/provider-rules"
import {
  type Breakdown,
  type Counts,
  type FindingSlice,
  noCounts,
  type Range,
  reachedOf,
  windowOf,
} from "@/lib/metrics/rules"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { dayMs } from "@/lib/platform/time"
import { topicNames } from "@/lib/topics/data"
import type { Prisma } from "@/prisma/generated/client"

/** What the advisor judges by: counters, reports and the state of domains, never single emails. */
export async function advisorFactsOf(scope: Scope, now: Date): Promise<AdvisorFacts> {
  const month = windowOf("30d", now)
  const day = windowOf("24h", now)
  const week = { from: new Date(day.from.getTime() - 7 * dayMs), to: day.from }
  const [[counts, today, before], last, standings, refused, degraded, clippedEmailId, htmlOnlyEmailId] =
    await Promise.all([
      sumRanges(scope, [month, day, week]),
      lastSentHour(scope),
      dmarcStandings(scope),
      sumSlices(scope, "refusal" satisfies FindingSlice, month, { top: 5 }),
      db(scope).domain.findMany({
        where: { status: "degraded" },
        select: { id: true, name: true },
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
    degraded: degraded.map(({ id, name }) => ({ id: encodeId("dom", id), domain: name })),
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

type Critical = { finding: AdvisorFinding; last: RateTold | undefined; month: Counts; range: Range }

/** Notifies the owners of a critical rate, unless another worker has done so since `last` was read. */
export async function tellOfRate(projectId: string, { finding, last, ...at }: Critical): Promise<void> {
  const { code, title, message, fix, data } = finding
  const cause = await causeOf(projectId, code, at)
  await unscopedTransaction(async (tx) => {
    const project = await projectToTell(projectId, tx)
    if (!project || !(await claim(project, code, last, tx))) return
    const target = encodeId("proj", projectId)
    const place = { organizationId: project.organizationId, projectId }
    await addSystemAudit(place, { action: `project.${code}`, target, changes: data }, db({ project }, tx))
    await tellOwners(
      project,
      { notice: { kind: "rate-critical", title, message, cause, fix }, page: "metrics#advisor" },
      tx,
    )
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

async function causeOf(projectId: string, code: string, { month, range }: { month: Counts; range: Range }) {
  const scope = { project: { id: projectId } }
  const isBounces = code === "bounce_rate_critical"
  const counter = isBounces ? "bounced" : "complained"
  const baseOf = (counts: Counts) => (isBounces ? counts.sent : reachedOf(counts))
  const sums = await Promise.all(
    breakdowns.map(async (by) => ({ by, rows: await sumSlices(scope, by, range, { top: keysMax }) })),
  )
  const parts = sums.flatMap(({ by, rows }) =>
    rows.flatMap((row) => (row.key === null ? [] : { by, key: row.key, count: row[counter], of: baseOf(row) })),
  )
  const names = await topicNames(
    scope,
    parts.flatMap(({ by, key }) => (by === "topic" ? key : [])),
  )
  const named = parts.map(({ by, key, ...counts }): Part => ({ what: whatIs[by](key, names), ...counts }))
  const total = { count: month[counter], of: baseOf(month) }
  return causeText(largestCause(named, total), total)
}

/** Where two explain as much, the first. */
const breakdowns: readonly Breakdown[] = ["topic", "tag", "domain", "provider"]

const whatIs: Record<Breakdown, (key: string, names: Map<string, string>) => string> = {
  topic: (key, names) => `email of the topic ${names.get(key) ?? "that was deleted"}`,
  tag: (key) => `email with the tag ${key}`,
  domain: (key) => `email from ${key}`,
  provider: (key) => `email to ${providerName(key)}`,
}
