import type { CallAnswer } from "@/components/data/call"
import { dayIn, midnightOf } from "@/components/data/day-filters"
import { hourMs } from "@/lib/platform/time"
import { dateWords } from "@/components/ui/time-words"

export type Summary = CallAnswer<"GET /v1/metrics/summary">
export type MetricsTimeline = CallAnswer<"GET /v1/metrics/timeline">
type MetricsBucket = MetricsTimeline["buckets"][number]
export type MetricsBreakdown = CallAnswer<"GET /v1/metrics/breakdown">
export type BreakdownRow = MetricsBreakdown["data"][number]
export type AdvisorReport = CallAnswer<"GET /v1/metrics/advisor">
export type Recommendation = AdvisorReport["recommendations"][number]

export const series = [
  { name: "first", label: "Delivered", colour: "bg-good/75" },
  { name: "deferred", label: "Deferred", colour: "bg-warn" },
  { name: "bounced", label: "Hard bounces", colour: "bg-bad" },
  { name: "unreported", label: "Sent, delivery not reported", colour: "bg-accent/60" },
  { name: "awaited", label: "Sent, not reported yet", colour: "bg-accent/30" },
  { name: "other", label: "Not delivered", colour: "bg-line-field" },
] as const

export type SeriesName = (typeof series)[number]["name"]

/**
 * The series of a chart: those of which there is nothing to say, as usual, are left out, and where nobody reports delivery
 * a nought of it would not be true.
 */
export function shownSeries(parts: Record<SeriesName, number>): readonly (typeof series)[number][] {
  const isReported = parts.unreported === 0
  return series.filter(
    ({ name }) => parts[name] > 0 || name === "bounced" || ((name === "first" || name === "deferred") && isReported),
  )
}

export type Bar = {
  at: string
  sent: number
  parts: Record<SeriesName, number>
  /** What the running hour or day will hold at its pace so far. */
  forecast: number | null
  /** Where the window cuts the hour or day: it begins then, or ends. */
  cut: { from?: string; until?: string } | null
}

type Parted = Pick<MetricsBucket, "sent" | "delivered" | "bounced"> & {
  deferred?: number | undefined
  deliveryNotReported?: number | undefined
  awaitingReport?: number | undefined
}

/** One status a recipient; what is in no other series was refused otherwise or given up. */
export function stackOf(counts: Parted): Record<SeriesName, number> {
  const { sent, delivered, bounced, deferred = 0, deliveryNotReported = 0, awaitingReport = 0 } = counts
  const rest = Math.max(0, sent - delivered - bounced)
  const unreported = Math.min(deliveryNotReported, rest)
  const awaited = Math.min(awaitingReport, rest - unreported)
  return {
    first: Math.max(0, delivered - deferred),
    deferred: Math.min(deferred, delivered),
    bounced,
    unreported,
    awaited,
    other: rest - unreported - awaited,
  }
}

export function barsOf({ buckets, granularity, window }: MetricsTimeline, timeZone: string): Bar[] {
  const to = Date.parse(window.to)
  return buckets.map((bucket, index) => {
    const begin = Date.parse(bucket.bucket)
    const end = Date.parse(buckets[index + 1]?.bucket ?? endOf(bucket.bucket, granularity, timeZone))
    const passed = (to - begin) / (end - begin)
    const cut = {
      ...(begin < Date.parse(window.from) && { from: window.from }),
      ...(end > to && { until: window.to }),
    }
    const runs = index === buckets.length - 1 && passed > 0.2 && passed < 1 && bucket.sent > 0
    return {
      at: bucket.bucket,
      sent: bucket.sent,
      parts: stackOf(bucket),
      forecast: runs ? Math.round(bucket.sent / passed) : null,
      cut: cut.from || cut.until ? cut : null,
    }
  })
}

/** When an hour or day that begins then is over; a day may have 23 or 25 hours. */
function endOf(at: string, granularity: string, timeZone: string): string {
  if (granularity === "hour") return new Date(Date.parse(at) + hourMs).toISOString()
  return midnightOf(dayIn(timeZone, new Date(at)), timeZone, 1)
}

/** The same time of day a week before, by the clocks of the zone. Of no time yet none. */
export function weekBefore(at: string, timeZone: string): string {
  if (!at) return ""
  const day = dayIn(timeZone, new Date(at))
  const sinceMidnight = Date.parse(at) - Date.parse(midnightOf(day, timeZone))
  return new Date(Date.parse(midnightOf(day, timeZone, -7)) + sinceMidnight).toISOString()
}

type Days = Pick<MetricsTimeline, "buckets">

/** What was sent on the same weekday a week before, by the day of now. */
export function sentWeekBefore(now: Days, earlier: Days, timeZone: string): ReadonlyMap<string, number> {
  const dayOf = (at: string) => dayIn(timeZone, new Date(at))
  const sentOn = new Map(earlier.buckets.map(({ bucket, sent }) => [dayOf(bucket), sent]))
  return new Map(
    now.buckets.flatMap(({ bucket }) => {
      const sent = sentOn.get(dayOf(weekBefore(bucket, timeZone)))
      return sent === undefined ? [] : [[bucket, sent] as const]
    }),
  )
}

/** Lines at round steps, the last at or above the largest value; four or five of them. */
export function axisOf(largest: number): { top: number; lines: number[] } {
  const rough = Math.max(1, largest) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power)
  const whole = Math.ceil(step)
  const count = Math.max(1, Math.ceil(largest / whole))
  return { top: whole * count, lines: Array.from({ length: count + 1 }, (_, at) => at * whole) }
}

/** The bars that carry a label: about six, the last among them. */
export function labelled(count: number): Set<number> {
  const every = Math.max(1, Math.ceil(count / 6))
  return new Set(Array.from({ length: count }, (_, at) => at).filter((at) => (count - 1 - at) % every === 0))
}

export function axisText(at: string, granularity: string, timeZone: string): string {
  if (granularity === "hour") return dateWords(at, { timeZone, hour: "2-digit", minute: "2-digit" })
  return dateWords(at, { timeZone, day: "numeric", month: "short" })
}

/** The hour or day of a bar; of a part, from when or until when. */
export function barText({ at, cut }: Pick<Bar, "at" | "cut">, granularity: string, timeZone: string): string {
  const time = (of: string) => `${axisText(of, "hour", timeZone)} ${timeZone}`
  const hour = granularity === "hour" ? [time(at)] : []
  const from = cut?.from ? [`from ${time(cut.from)}`] : []
  const until = cut?.until ? [`until ${time(cut.until)}`] : []
  const day = dateWords(at, { timeZone, weekday: "short", day: "numeric", month: "long" })
  return [day, ...hour, ...from, ...until].join(", ")
}
