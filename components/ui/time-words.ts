import { hourMs } from "@/lib/platform/time"

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * A date or a time in words of British English, in the reader's time zone unless `options` names another. A format takes some
 * 40 µs to make, and milliseconds the first time in a browser, so each is made once, and only when it is needed.
 */
export function dateWords(at: string | number | Date, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(at)
  // As toLocaleString does, where Intl's format throws.
  if (Number.isNaN(date.getTime())) return String(date)
  const key = JSON.stringify(options)
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat("en-GB", options)))
  return format.format(date)
}

/** As `datetime-local` writes a time: the reader's own clock, to the minute. */
export function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/**
 * How long ago, or how long until, in words; both in milliseconds since 1970. Without Intl.RelativeTimeFormat, which takes a
 * browser that has just opened the page 10 ms to make.
 */
export function relativeWords(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 20) return seconds > 10 ? "in a few seconds" : "just now"
  const step = steps.find((candidate) => size < candidate.below) ?? last
  const count = Math.trunc(seconds / step.seconds)
  if (step.unit === "day" && Math.abs(count) === 1) return count < 0 ? "yesterday" : "tomorrow"
  const length = `${Math.abs(count)} ${step.unit}${Math.abs(count) === 1 ? "" : "s"}`
  return count < 0 ? `${length} ago` : `in ${length}`
}

type Step = { below: number; seconds: number; unit: string }

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const month = 30 * day
const year = 365 * day

const last: Step = { below: Infinity, seconds: year, unit: "year" }
const steps: Step[] = [
  { below: minute, seconds: 1, unit: "second" },
  { below: hour, seconds: minute, unit: "minute" },
  { below: day, seconds: hour, unit: "hour" },
  { below: month, seconds: day, unit: "day" },
  { below: year, seconds: month, unit: "month" },
]

/** The first and the last millisecond of an hour such as 2026-11-20T14, in UTC; null for what is no hour. */
export function utcHourRange(name: string): { from: string; to: string } | null {
  const from = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3])$/.test(name) ? Date.parse(`${name}:00:00Z`) : NaN
  if (Number.isNaN(from)) return null
  return { from: new Date(from).toISOString(), to: new Date(from + hourMs - 1).toISOString() }
}

/** "09:00 to 10:00 UTC". */
export function utcHourWords(name: string): string {
  const from = Number(name.slice(11, 13))
  const clock = (value: number) => `${String(value % 24).padStart(2, "0")}:00`
  return `${clock(from)} to ${clock(from + 1)} UTC`
}
