import { countText } from "@/lib/platform/format"
import type { Figures } from "@/components/metrics/rates"
import type { MetricsBreakdown, Summary, MetricsTimeline } from "@/components/metrics/chart"
import { csvLine } from "@/lib/platform/csv-rules"

const names = [
  ...(["sent", "delivered", "deferred", "bounced", "complained", "opened", "clicked", "unsubscribed"] as const),
  "deliveryNotReported",
] as const

export const figureColumns = ["part", "key", "name", "from", "to", ...names] as const

type Shown = { summary: Summary; timeline: MetricsTimeline; breakdowns: readonly MetricsBreakdown[] }

/** The figures that the page shows, one line each, as CSV (RFC 4180); times are ISO 8601 in UTC. */
export function figuresCsv({ summary, timeline, breakdowns }: Shown): string {
  const { window, previous } = summary
  const line = (part: string, key: string, name: string, [from, to]: readonly [string, string], counts: Figures) =>
    csvLine([part, key, name, from, to, ...names.map((column) => String(counts[column] ?? ""))])
  const span = [window.from, window.to] as const
  return [
    `${figureColumns.join(",")}\r\n`,
    line("total", "", "", span, summary),
    ...(previous ? [line("total before", "", "", [previous.from, previous.to], previous)] : []),
    ...timeline.buckets.map((bucket, at) => {
      const end = timeline.buckets[at + 1]?.bucket ?? timeline.window.to
      return line(timeline.granularity, "", "", [bucket.bucket, end], bucket)
    }),
    ...breakdowns.flatMap(({ by, data, other, window: { from, to } }) => [
      ...data.map((row) => line(by, row.key, row.name, [from, to], row)),
      ...(other ? [line(by, "", countText(other.keys, "other"), [from, to], other)] : []),
    ]),
  ].join("")
}

/** The name of the file: what it shows, and when. */
export function csvName({ window: { from, to } }: Pick<Summary, "window">, domain: string): string {
  const safe = domain.replace(/[^a-z0-9.-]/gi, "")
  return `metrics-${safe ? `${safe}-` : ""}${from.slice(0, 10)}-to-${to.slice(0, 10)}.csv`
}
