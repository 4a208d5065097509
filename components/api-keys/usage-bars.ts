import { formatNumber } from "@/lib/platform/format"
import type { UsageSummary } from "@/components/api-keys/queries"
import { dateWords } from "@/components/ui/date-words"
import { utcHourRange, utcHourWords } from "@/components/ui/utc-hours"

export const periods = ["24h", "7d", "30d"] as const

export type Period = (typeof periods)[number]

export const periodNames: Record<Period, string> = { "24h": "24 hours", "7d": "7 days", "30d": "30 days" }

export type UsageBar = {
  /** A day such as 2026-11-20, or an hour such as 2026-11-20T14, in UTC. */
  at: string
  requests: number
  refused: number
  /** Of the two keys of a rotation; none without one. */
  shares: { next: number; old: number } | null
}

type Counts = { requests: number; refused: number }

/** The bars of a period, oldest first; during a rotation with the requests of both keys. */
export function usageBars({ days, hours, rotation }: UsageSummary, period: Period): UsageBar[] {
  if (period === "24h")
    return barsOf(hours, ({ hour }) => hour.slice(0, 13), rotation && [rotation.next.hours, rotation.old.hours])
  const recent = <T>(all: readonly T[]) => (period === "7d" ? all.slice(-7) : all)
  const of = rotation && ([recent(rotation.next.days), recent(rotation.old.days)] as const)
  return barsOf(recent(days), ({ day }) => day, of)
}

function barsOf<T extends Counts>(
  own: readonly T[],
  at: (counts: T) => string,
  both: readonly [next: readonly T[], old: readonly T[]] | undefined,
): UsageBar[] {
  return own.map((counts, index) => {
    const { requests, refused } = counts
    if (!both) return { at: at(counts), requests, refused, shares: null }
    const [next, old] = both.map((days) => days[index])
    return {
      at: at(counts),
      requests: (next?.requests ?? 0) + (old?.requests ?? 0),
      refused: (next?.refused ?? 0) + (old?.refused ?? 0),
      shares: { next: next?.requests ?? 0, old: old?.requests ?? 0 },
    }
  })
}

/** The time from the beginning to the last millisecond of a bar; null for what is none. */
export function usageWindow(at: string | null): { after: string; before: string } | null {
  const [first, last] = at && /^\d{4}-\d{2}-\d{2}$/.test(at) ? [`${at}T00`, `${at}T23`] : [at, at]
  const [from, to] = [utcHourRange(first ?? ""), utcHourRange(last ?? "")]
  return from && to && { after: from.from, before: to.to }
}

const utc = { timeZone: "UTC" } as const

/** "17 Nov" or "14:00", for the axis. */
export function shortBar(at: string): string {
  if (at.length > 10) return `${at.slice(11)}:00`
  return dateWords(`${at}T00:00:00Z`, { ...utc, day: "numeric", month: "short" })
}

/** "Tuesday 17 November" or "17 November, 14:00 to 15:00 UTC". */
export function longBar(at: string): string {
  const hour = at.length > 10
  const day = dateWords(`${at.slice(0, 10)}T00:00:00Z`, {
    ...utc,
    ...(hour ? {} : { weekday: "long" }),
    ...{ day: "numeric", month: "long" },
  })
  return hour ? `${day}, ${utcHourWords(at)}` : day
}

/** What a bar says when it is pointed at. */
export function usageBarWords({ at, requests, refused, shares }: UsageBar, isLast: boolean): string {
  const sum = `${longBar(at)}${isLast ? ", so far" : ""}: ${count(requests, "request")}`
  if (shares) return `${sum}, ${count(shares.next)} with the new key, ${count(shares.old)} with the old key`
  return `${sum}, ${count(refused)} refused`
}

export function count(value: number, noun?: string): string {
  const text = formatNumber(value)
  return noun ? `${text} ${noun}${value === 1 ? "" : "s"}` : text
}

/** With fewer, a share of a thousand says more than is known. */
export const fewRequests = 20

/** How many of a thousand, or of all where they are few. */
export function shareWords(part: number, whole: number): string {
  if (part === 0 || whole === 0) return "none"
  if (whole < fewRequests) return `${part} of ${whole}`
  const thousandth = (part / whole) * 1_000
  return thousandth < 1 ? "less than 1 in 1,000" : `${formatNumber(Math.round(thousandth))} in 1,000`
}
