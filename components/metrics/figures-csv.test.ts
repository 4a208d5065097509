import { parse } from "csv-parse/sync"
import { expect, test } from "vitest"
import { csvName, figuresCsv } from "@/components/metrics/figures-csv"
import type { MetricsBreakdown, Summary, MetricsTimeline } from "@/components/metrics/chart"

const counts = {
  sent: 100,
  delivered: 96,
  deferred: 2,
  bounced: 4,
  complained: 0,
  opened: 40,
  clicked: 8,
  unsubscribed: 1,
}
const rest = {
  ...{ failed: 0, readEngaged: 0, deliveryRate: 0, bounceRate: 0, openRate: 0, clickRate: 0, complaintRate: 0 },
  readEngagementRate: 0,
}
const window = { label: "24h", from: "2026-11-19T14:00:00.000Z", to: "2026-11-20T14:32:00.000Z" } as const
const summary: Summary = {
  ...{ projectId: "proj_1", window, ...counts, ...rest },
  previous: { from: "2026-11-18T14:00:00.000Z", to: "2026-11-19T13:59:59.999Z", ...counts, ...rest, sent: 50 },
}
const bucket = (at: string, sent: number) => ({
  bucket: at,
  ...counts,
  ...rest,
  sent,
  deliveryDelayed: 0,
  engagementScore: 0,
})
const timeline: MetricsTimeline = {
  ...{ projectId: "proj_1", window, granularity: "hour", format: "compact" },
  buckets: [bucket("2026-11-20T13:00:00.000Z", 7), bucket("2026-11-20T14:00:00.000Z", 3)],
  totals: { ...counts, ...rest, avgEngagementScore: 0 },
}
const breakdown = (key: string, name: string): MetricsBreakdown => ({
  ...{ projectId: "proj_1", window, by: "tag" },
  data: [{ key, name, ...counts, ...rest }],
  other: { keys: 1_234, ...counts, ...rest, deferred: undefined },
})

const read = (text: string) => parse(text, { columns: true }) as Record<string, string>[]

test("has a line for the totals of now and before, each hour, and each row of the breakdown", () => {
  const rows = read(figuresCsv({ summary, timeline, breakdowns: [breakdown("kind:receipt", "kind:receipt")] }))
  expect(rows.map(({ part, sent }) => `${part} ${sent}`)).toEqual([
    ...["total 100", "total before 50", "hour 7", "hour 3", "tag 100", "tag 100"],
  ])
  expect(rows[0]).toMatchObject({ from: window.from, to: window.to, deferred: "2", unsubscribed: "1" })
  expect(rows[2]).toMatchObject({ from: "2026-11-20T13:00:00.000Z", to: "2026-11-20T14:00:00.000Z" })
  expect(rows[3]).toMatchObject({ from: "2026-11-20T14:00:00.000Z", to: window.to })
  expect(rows[5]).toMatchObject({ name: "1,234 others", deferred: "" })
})

test("no cell is run as a formula, and quotes, commas and other scripts survive", () => {
  const text = figuresCsv({
    summary,
    timeline,
    breakdowns: [breakdown('=HYPERLINK("http://a.example")', "Grüße, 東京")],
  })
  expect(read(text)[4]).toMatchObject({ key: `'=HYPERLINK("http://a.example")`, name: "Grüße, 東京" })
})

test("the file is named by its domain and days", () => {
  expect(csvName(summary, "")).toBe("metrics-2026-11-19-to-2026-11-20.csv")
  expect(csvName(summary, "news.acme.test/../x")).toBe("metrics-news.acme.test..x-2026-11-19-to-2026-11-20.csv")
})
