/** How long ago, or how long until, in words; both in milliseconds since 1970. */
export function relativeWords(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 20) return seconds > 10 ? "in a few seconds" : "just now"
  const step = steps.find((candidate) => size < candidate.below) ?? last
  const count = Math.trunc(seconds / step.seconds)
  return step.unit === "day" ? byDay.format(count, "day") : always.format(count, step.unit)
}

type Step = { below: number; seconds: number; unit: Intl.RelativeTimeFormatUnit }

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

const always = new Intl.RelativeTimeFormat("en", { numeric: "always" })
const byDay = new Intl.RelativeTimeFormat("en", { numeric: "auto" })
