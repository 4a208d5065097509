import { beforeAll, describe, expect, test } from "vitest"
import { stackOf, type MetricsBreakdown, type MetricsTimeline, type Summary } from "@/components/metrics/chart"
import { deliveredFigure } from "@/components/metrics/figures"
import { figuresCsv } from "@/components/metrics/figures-csv"
import { rateSentences } from "@/components/overview/volume"
import { call, read } from "@/e2e/support/broadcasting"
import { everyOutcome, fates, members, names, totals } from "@/e2e/support/delivery/every-outcome"
import type { Sending } from "@/e2e/support/delivery/sending"
import { api } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { formatNumber } from "@/lib/platform/format"

let sender: Sending
let broadcast: string
let topics: string[]
beforeAll(async () => {
  ;({ sender, broadcast, topics } = await everyOutcome())
}, 120_000)

const get = async (route: Parameters<typeof api>[0], query: Record<string, string> = {}, params = {}) =>
  (await api(route, { key: sender.apiKey, query, params: { projectId: sender.project, ...params } })).json
const summary = (query = {}): Promise<Summary> => get("GET /v1/metrics/summary", { window: "30d", ...query })
const timeline = (query = {}): Promise<MetricsTimeline> => get("GET /v1/metrics/timeline", { window: "30d", ...query })

const fields = [
  ...(["sent", "delivered", "bounced", "failed", "opened", "clicked", "complained", "deferred"] as const),
  ...(["deliveryNotReported", "awaitingReport"] as const),
] as const
type Counted = { [Field in (typeof fields)[number]]?: number | undefined }

/** The same figures of one or several parts, added up. */
function added(parts: readonly Counted[]): Record<(typeof fields)[number], number> {
  const sums = fields.map((field) => [field, parts.reduce((sum, part) => sum + (part[field] ?? 0), 0)] as const)
  return Object.fromEntries(sums) as Record<(typeof fields)[number], number>
}

/** Every fate counts once: what a summary says, by what the set was made of. */
function expected() {
  const counts = totals(names)
  return { ...counts, sent: counts.sent + members, delivered: counts.delivered + members }
}

describe("2,000 emails with every outcome", () => {
  test("are as many as the log counts, by list, chips and a walk, and each status by each of them", async () => {
    const { total } = (await get("GET /v1/projects/{projectId}/emails", { size: "1" })).page
    const chips = await get("GET /v1/projects/{projectId}/emails/counts")
    expect(total).toBe(names.reduce((sum, name) => sum + fates[name].emails, 0) + members)
    expect(chips).toMatchObject({ total, complete: true })
    const walked = new Map<string, number>()
    for (let page = 1; page <= Math.ceil(total / 100); page++)
      for (const { status } of (await get("GET /v1/projects/{projectId}/emails", { page: `${page}`, size: "100" }))
        .data)
        walked.set(status, (walked.get(status) ?? 0) + 1)
    expect(Object.fromEntries(walked)).toEqual(
      Object.fromEntries(chips.statuses.map(({ status, count }: { status: string; count: number }) => [status, count])),
    )
    for (const [status, count] of walked) {
      const { page } = await get("GET /v1/projects/{projectId}/emails", { status, size: "1" })
      expect(page.total, status).toBe(count)
    }
  })

  test("count in the summary as what became of each, once", async () => {
    expect(added([await summary()])).toEqual(expected())
  })

  test("add up: each sent email is in one series, in the whole window as in every day and hour", async () => {
    for (const granularity of ["day", "hour"]) {
      const week = { window: "7d", granularity }
      const { buckets, totals: whole } = await timeline(week)
      expect(added(buckets), granularity).toEqual(added([whole]))
      expect(added([whole]), granularity).toEqual(expected())
      for (const bucket of buckets) {
        const parts = Object.values(stackOf(bucket)).reduce((sum, part) => sum + part, 0)
        expect(parts, `${granularity} ${bucket.bucket}`).toBe(bucket.sent)
      }
    }
    for (const timeZone of ["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"]) {
      const { buckets, totals: whole } = await timeline({ window: "7d", granularity: "day", timeZone })
      expect(added(buckets), timeZone).toEqual(expected())
      expect(added([whole]), timeZone).toEqual(expected())
      const ofOne = await timeline({ window: "7d", granularity: "day", timeZone, domain: sender.domain })
      expect(ofOne.buckets, timeZone).toEqual(buckets)
    }
    const { first, deferred, other, ...more } = stackOf(await summary())
    const { sent, delivered, bounced, deliveryNotReported, awaitingReport } = expected()
    expect({ delivered: first + deferred, ...more }).toEqual({
      ...{ delivered, bounced, unreported: deliveryNotReported, awaited: awaitingReport },
    })
    expect(other).toBe(sent - delivered - bounced - deliveryNotReported - awaitingReport)
  })

  test("are the same by domain, by provider, by topic and by tag", async () => {
    const whole = added([await summary()])
    for (const by of ["domain", "provider", "tag"]) {
      const { data, other }: MetricsBreakdown = await get("GET /v1/metrics/breakdown", { by, window: "30d" })
      const tagless = by === "tag" ? [await summary({ broadcastId: broadcast })] : []
      expect(added([...data, ...(other ? [other] : []), ...tagless]), by).toEqual(whole)
    }
    expect(added([await summary({ domain: sender.domain })])).toEqual(whole)
    const { data }: MetricsBreakdown = await get("GET /v1/metrics/breakdown", { by: "topic", window: "30d" })
    for (const id of topics) {
      const topic = await get("GET /v1/metrics/topics/{id}", { window: "30d" }, { id })
      const row = data.find(({ key }) => key === id)
      const { totalEmails: sent, delivered, bounced, opened, clicked, complained, ...rest } = topic
      const { deliveryNotReported, awaitingReport, deliveryReported, deliveryRate, openRate } = rest
      expect(row, id).toMatchObject({
        ...{ sent, delivered, bounced, opened, clicked, complained, deliveryNotReported, awaitingReport },
        ...{ deliveryReported, deliveryRate, openRate },
      })
      expect(deliveredFigure({ ...topic, sent })).toEqual({
        value: formatNumber(delivered),
        of: `not reported of ${formatNumber(deliveryNotReported)}`,
      })
    }
  })

  test("are the same in a broadcast's figures, its metrics, its people and their chips", async () => {
    const { counts: results } = await read(sender, broadcast)
    const { delivered } = results
    expect(results).toMatchObject({ accepted: members, sent: members, delivered: members, deliveryNotReported: 0 })
    expect(added([results])).toEqual({ ...added([await summary({ broadcastId: broadcast })]), deferred: 0 })
    expect(added([results])).toEqual(added([(await timeline({ broadcastId: broadcast })).totals]))
    const chips = await get("GET /v1/projects/{projectId}/emails/counts", { broadcastId: broadcast })
    expect(chips.statuses).toEqual([{ status: "delivered", count: delivered }])
    const { json } = await call(sender, "GET /v1/projects/{projectId}/broadcasts", "")
    expect(json.data[0].counts).toEqual(results)
  })

  test("are the same on the Overview, and in the figures that Metrics exports", async () => {
    const [whole, days] = [await summary({ window: "7d" }), await timeline({ window: "7d" })]
    const csv = figuresCsv({ summary: whole, timeline: days, breakdowns: [] })
    const rows = csv.split("\r\n").map((line) => line.replaceAll('"', "").split(","))
    const at = (name: string) => rows[0]?.indexOf(name) ?? -1
    const perDay = rows.filter(([part]) => part === "day")
    for (const name of ["sent", "delivered", "bounced", "deliveryNotReported"] as const) {
      const sum = perDay.reduce((sum, cells) => sum + Number(cells[at(name)]), 0)
      expect(sum, name).toBe(whole[name])
      expect(Number(rows[1]?.[at(name)]), name).toBe(whole[name])
    }
    const [first, second] = rateSentences(whole, undefined)
    expect(first?.text).toBe(`${formatNumber(whole.sent)} emails sent`)
    expect(second).toMatchObject({
      text: `Delivery of ${formatNumber(whole.deliveryNotReported ?? 0)} is not reported`,
      detail: expect.stringContaining(`${formatNumber(whole.delivered)} others are known to be delivered`),
    })
  })

  test("are in the chips as in the metrics, recipient by recipient", async () => {
    const { rows } = await pool().query<{ status: string; count: number }>(
      `SELECT d.status, count(*)::int AS count FROM deliveries d JOIN emails e ON e.id = d.email_id
        WHERE d.project_id = $1 AND NOT e.test_mode GROUP BY 1`,
      [sender.projectId],
    )
    const of = (...statuses: string[]) =>
      rows.reduce((sum, { status, count }) => sum + (statuses.includes(status) ? count : 0), 0)
    const { sent, delivered, bounced, failed, deliveryNotReported = 0, awaitingReport = 0 } = await summary()
    expect(of("sent", "delivered", "opened", "clicked", "complained")).toBe(
      delivered + deliveryNotReported + awaitingReport,
    )
    expect(of("failed")).toBe(failed)
    // Hard bounces, and those that say nothing about the address.
    expect(of("bounced")).toBe(sent - delivered - deliveryNotReported - awaitingReport - failed)
    expect(of("bounced")).toBeGreaterThan(bounced)
  })
})
