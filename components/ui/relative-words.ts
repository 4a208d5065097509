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
