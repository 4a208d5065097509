import type { Bucket, Timeline } from "@/components/metrics/types"
import { dateWords } from "@/components/ui/date-words"

export const series = [
  { name: "first", label: "Delivered", colour: "bg-good/75" },
  { name: "deferred", label: "Deferred", colour: "bg-warn" },
  { name: "bounced", label: "Bounced", colour: "bg-bad" },
  { name: "other", label: "Not delivered", colour: "bg-line-field" },
] as const

export type SeriesName = (typeof series)[number]["name"]
export type Bar = {
  at: string
  sent: number
  parts: Record<SeriesName, number>
  /** What the running hour or day will hold at its pace so far. */
  forecast: number | null
}

type Parted = Pick<Bucket, "sent" | "delivered" | "bounced"> & { deferred?: number | undefined }

/** One status a recipient; what was neither delivered nor bounced was refused otherwise, given up or is unanswered. */
export function partsOf({ sent, delivered, bounced, deferred = 0 }: Parted): Record<SeriesName, number> {
  return {
    first: Math.max(0, delivered - deferred),
    deferred: Math.min(deferred, delivered),
    bounced,
    other: Math.max(0, sent - delivered - bounced),
  }
}

const lengthMs = { hour: 3_600_000, day: 86_400_000 }

export function barsOf({ buckets, granularity, window }: Timeline): Bar[] {
  const length = granularity === "hour" ? lengthMs.hour : lengthMs.day
  const end = Date.parse(window.to)
  return buckets.map((bucket, index) => {
    const passed = (end - Date.parse(bucket.bucket)) / length
    const runs = index === buckets.length - 1 && passed > 0.2 && passed < 1 && bucket.sent > 0
    return {
      at: bucket.bucket,
      sent: bucket.sent,
      parts: partsOf(bucket),
      forecast: runs ? Math.round(bucket.sent / passed) : null,
    }
  })
}

const weekMs = 7 * 86_400_000

/** Of no time yet none. */
export function weekBefore(at: string): string {
  return at && new Date(Date.parse(at) - weekMs).toISOString()
}

/** What was sent on the same weekday a week before, by the day of now. */
export function sentWeekBefore(earlier: Pick<Timeline, "buckets">): ReadonlyMap<string, number> {
  return new Map(
    earlier.buckets.map(({ bucket, sent }) => [new Date(Date.parse(bucket) + weekMs).toISOString(), sent] as const),
  )
}

/** Lines at round steps, the last at or above the largest value; four or five of them. */
export function scaleOf(largest: number): { top: number; lines: number[] } {
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

const utc = { timeZone: "UTC" } as const

export function axisText(at: string, granularity: string): string {
  if (granularity === "hour") return dateWords(at, { ...utc, hour: "2-digit", minute: "2-digit" })
  return dateWords(at, { ...utc, day: "numeric", month: "short" })
}

export function longText(at: string, granularity: string): string {
  const day = dateWords(at, { ...utc, weekday: "short", day: "numeric", month: "long" })
  return granularity === "hour" ? `${day}, ${axisText(at, "hour")} UTC` : day
}
