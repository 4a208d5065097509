import { formatNumber } from "@/lib/platform/format"
import type { UsageSummary } from "@/components/api-keys/queries"
import { dateWords, utcHourRange, utcHourWords } from "@/components/ui/time-words"
import { dayMs, hourMs } from "@/lib/platform/time"

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

type Side = {
  lastUsedAt?: string | undefined
  addresses: readonly string[]
  days: readonly { requests: number }[]
}

type RotationWords = {
  sentence: string
  next: string
  /** Nothing has used the old key for a day: it can be ended. */
  isUnused: boolean
}

/** Addresses come from the latest requests only, so beyond this number some may be missing. */
const addressedMax = 1_000

/** Who still uses the old key, and what to do about it. */
export function rotationWords(
  { next, old, endsAt }: { next: Side; old: Side; endsAt?: string | undefined },
  now: number,
  timeZone: string,
): RotationWords {
  const today = old.days.at(-1)?.requests ?? 0
  const whole = today + (next.days.at(-1)?.requests ?? 0)
  const used = old.lastUsedAt ? Date.parse(old.lastUsedAt) : null
  if (used === null || now - used > dayMs)
    return {
      sentence:
        used === null
          ? "Nothing has ever used the old key."
          : `Nothing has used the old key since ${momentWords(used, timeZone)}.`,
      next: "You can end it.",
      isUnused: true,
    }
  const from = today ? addressWords(old.addresses, today > addressedMax) : lastAddressWords(old.addresses)
  const machines = old.addresses.length === 1 ? "that machine" : "those machines"
  const advice = `${old.addresses.length ? `Put the new key on ${machines}` : "Replace it"} before then.`
  return {
    sentence: today
      ? `The old key still made ${count(today)} of today’s ${count(whole, "request")}${from && `, ${from}`}.`
      : `The old key was last used on ${momentWords(used, timeZone)}${from && `, ${from}`}.`,
    next: endsAt ? `It stops working in ${leftWords(Date.parse(endsAt) - now)}. ${advice}` : advice,
    isUnused: false,
  }
}

export type Extension = { hours: 24 | 168 | 720; label: string; endsAt: number }

const extensions = [
  { hours: 24, label: "24 hours" },
  { hours: 168, label: "7 days" },
  { hours: 720, label: "30 days" },
] as const

/** The longer overlaps that a rotation may still get. */
export function extensionsOf({ startedAt, endsAt }: { startedAt: string; endsAt?: string | undefined }): Extension[] {
  if (endsAt === undefined) return []
  return extensions
    .map((one) => ({ ...one, endsAt: Date.parse(startedAt) + one.hours * hourMs }))
    .filter((one) => one.endsAt > Date.parse(endsAt))
}

function addressWords(addresses: readonly string[], isPart: boolean): string {
  const [first, second, ...more] = addresses
  if (!first) return ""
  if (isPart) return `most recently from ${first}`
  if (!second) return `all from ${first}`
  return more.length ? `from ${first}, ${second} and ${more.length} more` : `from ${first} and ${second}`
}

function lastAddressWords([first]: readonly string[]): string {
  return first ? `from ${first}` : ""
}

/** "18 November, 21:04", and "UTC" behind it where it is that. */
export function momentWords(at: number | string, timeZone: string): string {
  const day = dateWords(at, { timeZone, day: "numeric", month: "long" })
  const time = dateWords(at, { timeZone, hour: "2-digit", minute: "2-digit" })
  return `${day}, ${time}${timeZone === "UTC" ? " UTC" : ""}`
}

/** "3 days 19 hours", "19 hours", "12 minutes". */
export function leftWords(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000))
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24]
  if (days) return hours ? `${count(days, "day")} ${count(hours, "hour")}` : count(days, "day")
  return hours ? count(hours, "hour") : count(minutes, "minute")
}
