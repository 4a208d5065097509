import type { AggregateReport, Disposition } from "@/lib/domains/dmarc/parse"
import { belongsTo, identityOf, kindOf, periodFault, policyFor, type SourceKind } from "@/lib/domains/dmarc/rules"
import {
  type DmarcReport,
  type LastByMail,
  lastOf,
  lastShape,
  type ReportSender,
  senderOf,
} from "@/lib/domains/dmarc/schema"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"
import { type ReportedDomain, reportedOf } from "@/lib/domains/reports"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { formatNumber } from "@/lib/platform/format"
import { type CursorSlice, cursorSlice, newestFirst, type CursorPosition } from "@/lib/platform/http/cursors"
import type { Scope } from "@/lib/platform/http/scope"
import { newId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

// Reports

const shape = {
  id: true,
  projectId: false,
  domainId: false,
  reporter: true,
  reportId: true,
  policyDomain: true,
  policy: true,
  beganAt: true,
  endedAt: true,
  day: false,
  messages: true,
  aligned: true,
  source: true,
  sender: true,
  createdAt: true,
} as const satisfies Record<Prisma.DmarcReportScalarFieldEnum, boolean>

type Row = Prisma.DmarcReportGetPayload<{ select: typeof shape }>

type StoredSource = {
  address: string
  identity: string | null
  kind: SourceKind
  disposition: Disposition
  dkim: boolean
  spf: boolean
  messages: number
}

const rowsMax = 5_000

/** What is needed to read reports about a domain; null when there is no such domain. */
export async function reportedDomain(scope: Scope, id: string): Promise<ReportedDomain | null> {
  const domain = await db(scope).domain.findUnique({
    where: { id },
    select: { id: true, name: true, mailFromDomain: true },
  })
  return domain && reportedOf(domain)
}

/**
 * Stores a report with the messages that belong to the domain; false when this reporter's report is stored already.
 * @throws ReportRefused for a report about another domain or another time
 */
export async function addReport(
  scope: InProject,
  domain: ReportedDomain,
  report: AggregateReport,
  { now, sender }: { now: Date; sender?: ReportSender },
): Promise<{ added: boolean; messages: number }> {
  const rows = report.rows.filter(({ headerFrom }) => belongsTo(headerFrom, domain.domain))
  if (rows.length === 0)
    throw new ReportRefused(
      `The report is about ${report.policyDomain} and has no messages from ${domain.domain}.`,
      "other_domain",
    )
  const fault = periodFault(report, now)
  if (fault) throw new ReportRefused(fault, "other_period")
  const sources = grouped(rows.map((row) => ({ ...row, identity: identityOf(row), kind: kindOf(row, domain) })))
  const count = (some: readonly { messages: number }[]) => some.reduce((sum, { messages }) => sum + messages, 0)
  const [messages, aligned] = [count(sources), count(sources.filter(({ dkim, spf }) => dkim || spf))]
  if (messages > 2 ** 31 - 1) throw new ReportRefused("The report counts more messages than can be true.")
  const day = new Date((report.beganAt.getTime() + report.endedAt.getTime()) / 2).toISOString().slice(0, 10)
  const added = await db(scope).$transaction(async (tx) => {
    const id = newId()
    const { reporter, reportId, policyDomain, beganAt, endedAt } = report
    const { count: created } = await tx.dmarcReport.createMany({
      data: {
        ...{ id, domainId: domain.id, reporter, reportId, policyDomain, beganAt, endedAt, messages, aligned },
        policy: policyFor(domain.domain, report),
        ...(sender && { source: "mail", sender }),
        day: new Date(day),
      },
      skipDuplicates: true,
    })
    if (created === 0) return false
    const shared = { reportId: id, domainId: domain.id, day: new Date(day) }
    await tx.dmarcSource.createMany({
      data: sources.map((source, index) => ({ ...shared, ordinal: index + 1, ...source })),
    })
    return true
  })
  return { added, messages }
}

/** Records that differ in nothing that is kept are one row. */
function grouped(rows: readonly StoredSource[]): StoredSource[] {
  const groups = new Map<string, StoredSource>()
  for (const { address, identity, kind, disposition, dkim, spf, messages } of rows) {
    const key = JSON.stringify([address, identity, kind, disposition, dkim, spf])
    const group = groups.get(key)
    if (group) group.messages += messages
    else groups.set(key, { address, identity, kind, disposition, dkim, spf, messages })
  }
  if (groups.size <= rowsMax) return [...groups.values()]
  throw new ReportRefused(`The report has more than ${formatNumber(rowsMax)} different sources.`)
}

/** Reports about a domain, those that came last first. */
export async function listReports(
  scope: Scope,
  domainId: string,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<DmarcReport>> {
  const { orderBy, beyond, beside } = newestFirst(position)
  const [rows, other] = await Promise.all([
    db(scope).dmarcReport.findMany({
      where: { domainId, ...beyond },
      select: shape,
      orderBy,
      take: size + 1,
    }),
    beside ? db(scope).dmarcReport.findFirst({ where: { domainId, ...beside }, select: { id: true } }) : null,
  ])
  return cursorSlice(position, size, rows.map(toReport), other !== null)
}

function toReport(row: Row): DmarcReport {
  const { policy, source, sender } = row
  return shown<DmarcReport>()({
    ...row,
    policy: policy as DmarcReport["policy"],
    source: source as DmarcReport["source"],
    sender: senderOf(sender),
  })
}

/** The last report that came by mail. */
export async function lastDmarcByMail(scope: InProject, domainId: string): Promise<LastByMail | undefined> {
  const row = await db(scope).dmarcReport.findFirst({
    where: { domainId, source: "mail" },
    select: lastShape,
    orderBy: { id: "desc" },
  })
  return lastOf(row)
}

// What they count

/** The first of the last 30 days in UTC. */
export async function firstDay(): Promise<Date> {
  const now = await databaseTime()
  return secondsAfter(new Date(now.toISOString().slice(0, 10)), -29 * 86_400)
}

export function dayText(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** What reports of a domain count since a day: by day, and by what receivers did with the messages. */
export async function reportedSince(scope: Scope, domainId: string, from: Date) {
  const where = { domainId, day: { gte: from } }
  const [days, dispositions] = await Promise.all([
    db(scope).dmarcReport.groupBy({
      by: ["day"],
      where,
      _count: true,
      _sum: { messages: true, aligned: true },
      orderBy: { day: "asc" },
    }),
    db(scope).dmarcSource.groupBy({ by: ["disposition"], where, _sum: { messages: true } }),
  ])
  return {
    days: days.map(({ day, _count: reports, _sum: { messages, aligned } }) => ({
      ...{ day: dayText(day), reports, messages: messages ?? 0, aligned: aligned ?? 0 },
    })),
    dispositions: new Map(dispositions.map(({ disposition, _sum: { messages } }) => [disposition, messages ?? 0])),
  }
}

// Sums of the last days. Raw, because Prisma has neither aggregates with conditions nor groups by an expression.

/** What the reports of the last 30 days say about a domain. `days`: with reports, among the last 90. */
export type DmarcStanding = {
  domainId: string
  domain: string
  policy: Disposition
  days: number
  observed: number
  aligned: number
  unknownMessages: number
  unknownSources: number
  observed7d: number
  failureRate7d: number
}

/** Per domain of the project that has reports of the last 90 days; `domainId` narrows it to one. */
export async function dmarcStandings(scope: InProject, domainId: string | null = null): Promise<DmarcStanding[]> {
  return db(scope).$queryRaw<DmarcStanding[]>`
    SELECT d.id AS "domainId", d.name AS domain, r.policy, r.days, r.observed, r.aligned,
        coalesce(u.messages, 0) AS "unknownMessages", coalesce(u.sources, 0) AS "unknownSources",
        r.observed7d AS "observed7d", CASE WHEN r.observed7d = 0 THEN 0 ELSE r.failed7d / r.observed7d END AS "failureRate7d"
      FROM domains d
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT day)::int AS days,
            (array_agg(policy ORDER BY ended_at DESC))[1] AS policy,
            coalesce(sum(messages) FILTER (WHERE day > utc.today - 30), 0)::float8 AS observed,
            coalesce(sum(aligned) FILTER (WHERE day > utc.today - 30), 0)::float8 AS aligned,
            coalesce(sum(messages) FILTER (WHERE day > utc.today - 7), 0)::float8 AS observed7d,
            coalesce(sum(messages - aligned) FILTER (WHERE day > utc.today - 7), 0)::float8 AS failed7d
          FROM dmarc_reports, (SELECT (now() AT TIME ZONE 'UTC')::date AS today) utc
          WHERE project_id = d.project_id AND domain_id = d.id AND day > utc.today - 90) r
      LEFT JOIN LATERAL (
        SELECT sum(messages)::float8 AS messages, count(DISTINCT coalesce(identity, address))::int AS sources
          FROM dmarc_sources WHERE project_id = d.project_id AND domain_id = d.id AND kind = 'unknown'
            AND day > (now() AT TIME ZONE 'UTC')::date - 30) u ON true
      WHERE d.project_id = ${scope.project.id}::uuid AND (${domainId}::uuid IS NULL OR d.id = ${domainId}::uuid)
        AND r.days > 0
      ORDER BY r.observed DESC, d.name LIMIT 100`
}

export type ReportSource = { name: string; kind: SourceKind; addresses: number; messages: number; aligned: number }

/** The largest sources of the last 30 days. */
export async function reportSources(scope: InProject, domainId: string, kind?: SourceKind): Promise<ReportSource[]> {
  return db(scope).$queryRaw<ReportSource[]>`
    SELECT coalesce(identity, address) AS name, kind, count(DISTINCT address)::int AS addresses,
        sum(messages)::float8 AS messages, coalesce(sum(messages) FILTER (WHERE dkim OR spf), 0)::float8 AS aligned
      FROM dmarc_sources
      WHERE project_id = ${scope.project.id}::uuid AND domain_id = ${domainId}::uuid
        AND day > (now() AT TIME ZONE 'UTC')::date - 30 AND (${kind ?? null}::text IS NULL OR kind = ${kind ?? null}::text)
      GROUP BY 1, 2 ORDER BY messages DESC, name LIMIT 100`
}
