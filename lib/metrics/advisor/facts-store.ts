import { dayMs } from "@/lib/platform/time"
import { dmarcStandings } from "@/lib/domains/dmarc/summary-sql"
import type { Facts } from "@/lib/metrics/advisor/types"
import { sumRanges, sumSlices } from "@/lib/metrics/bucket-sql"
import type { Finding } from "@/lib/metrics/slice-rules"
import { windowOf, type Range } from "@/lib/metrics/window-rules"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

/** What the advisor judges by: counters, reports and the state of domains, never single emails. */
export async function factsOf(scope: Scope, now: Date): Promise<Facts> {
  const month = windowOf("30d", now)
  const day = windowOf("24h", now)
  const week = { from: new Date(day.from.getTime() - 7 * dayMs), to: day.from }
  const [[counts, today, before], last, standings, refused, degraded, clippedEmailId, htmlOnlyEmailId] =
    await Promise.all([
      sumRanges(scope, [month, day, week]),
      lastSentHour(scope),
      dmarcStandings(scope),
      sumSlices(scope, "refusal" satisfies Finding, month, { top: 5 }),
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
async function latestWith(scope: Scope, dimension: Finding, { from }: Range): Promise<string | null> {
  const row = await db(scope).metricSlice.findFirst({
    where: { dimension, grain: "day", startsAt: { gte: from }, key: { not: "" } },
    select: { key: true },
    orderBy: { startsAt: "desc" },
  })
  return row && encodeId("email", row.key)
}

async function refusalsOf(scope: Scope, sums: Awaited<ReturnType<typeof sumSlices>>): Promise<Facts["refusals"]> {
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
