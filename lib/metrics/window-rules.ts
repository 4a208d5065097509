import { dayMs, hourMs } from "@/lib/platform/time"

/** The whole UTC hour that an instant lies in. */
export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / hourMs) * hourMs)
}

/** The whole UTC day that an instant lies in. */
export function dayOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / dayMs) * dayMs)
}

export const windows = { "24h": 24, "7d": 7 * 24, "30d": 30 * 24, "90d": 90 * 24 } as const

export type WindowLabel = keyof typeof windows
export const windowLabels = ["24h", "7d", "30d", "90d"] as const satisfies readonly WindowLabel[]

/** From the beginning of an hour up to, not including, an instant. */
export type Range = { from: Date; to: Date }
export type Window = Range & { label: WindowLabel | "custom" }

export const rangeDaysMax = 400
/** Longer ranges are given by day. */
export const hourlyDaysMax = 8

/** The window that ends now and begins with a whole hour, so that it is at least as long as its name. */
export function windowOf(label: WindowLabel, now: Date): Window {
  return { label, from: hourOf(new Date(now.getTime() - windows[label] * hourMs)), to: now }
}

export type Asked = { window: WindowLabel; from?: Date | undefined; to?: Date | undefined }
export type Refused = { pointer: string; detail: string }

/** The window of a request: its name, or whole hours from `from` up to `to`, which ends now at the latest. */
export function askedWindow({ window, from, to }: Asked, now: Date): Window | Refused {
  if (!from && !to) return windowOf(window, now)
  if (!from) return { pointer: "query/from", detail: "Must be given where `to` is." }
  const end = !to || to > now ? now : new Date(Math.min(Math.ceil(to.getTime() / hourMs) * hourMs, now.getTime()))
  const start = hourOf(from)
  if (start >= end) return { pointer: "query/from", detail: "Must be before `to`, and in the past." }
  if (end.getTime() - start.getTime() > rangeDaysMax * dayMs) {
    return { pointer: "query/from", detail: `Must be at most ${rangeDaysMax} days before the end of the range.` }
  }
  return { label: "custom", from: start, to: end }
}

/** As long as that window in whole hours, and over when it begins. */
export function windowBefore({ label, from, to }: Window): Range {
  const hours = label === "custom" ? Math.ceil((to.getTime() - from.getTime()) / hourMs) : windows[label]
  return { from: new Date(from.getTime() - hours * hourMs), to: new Date(from.getTime() - 1) }
}

export const granularities = ["hour", "day"] as const

export type Granularity = (typeof granularities)[number]

/** How a window is divided if the request does not say. */
export function granularityOf({ label, from, to }: Window): Granularity {
  if (label !== "custom") return windows[label] <= 24 ? "hour" : "day"
  return to.getTime() - from.getTime() <= 2 * dayMs ? "hour" : "day"
}

/** Whether a range of one's own is too long for hours. */
export function tooLongForHours({ label, from, to }: Window): boolean {
  return label === "custom" && to.getTime() - from.getTime() > hourlyDaysMax * dayMs
}

/** The first instants of the UTC hours or days that a window touches, oldest first. */
export function bucketsOf({ from, to }: Range, granularity: Granularity): Date[] {
  const step = granularity === "hour" ? hourMs : dayMs
  const first = Math.floor(from.getTime() / step) * step
  const count = Math.ceil((to.getTime() - first) / step)
  return Array.from({ length: count }, (_, index) => new Date(first + index * step))
}

/** The whole days inside a range; its hours before and after them are read by hour. */
export function wholeDaysOf({ from, to }: Range): Range {
  const first = new Date(Math.ceil(from.getTime() / dayMs) * dayMs)
  const last = dayOf(to)
  return last < first ? { from: first, to: first } : { from: first, to: last }
}
