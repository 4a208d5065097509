import { hourMs } from "@/lib/platform/time"

/** A time in which an email may be sent. */
export type Window = { start: Date; end: Date }

/**
 * When to send inside a window: in the hour of the day (UTC) in which the recipients have opened most, else in the next best that
 * the window holds, else as early as it allows. Pure.
 */
export function optimalTime(hours: readonly number[], { start, end }: Window, now: Date): Date {
  const first = new Date(Math.max(start.getTime(), now.getTime()))
  const candidates = hours.flatMap((opens, hour) => {
    const at = nextIn(hour, first)
    return opens > 0 && at < end ? [{ opens, at }] : []
  })
  const [best] = candidates.sort((a, b) => b.opens - a.opens || a.at.getTime() - b.at.getTime())
  return best?.at ?? first
}

/** The first moment from an instant on that lies in an hour of the day. */
function nextIn(hour: number, from: Date): Date {
  if (from.getUTCHours() === hour) return from
  const whole = Math.floor(from.getTime() / hourMs) * hourMs
  const ahead = (hour - from.getUTCHours() + 24) % 24
  return new Date(whole + ahead * hourMs)
}

/** Several people who share an email count together. */
export function summed(all: readonly (readonly number[])[]): number[] {
  return Array.from({ length: 24 }, (_, hour) => all.reduce((sum, hours) => sum + (hours[hour] ?? 0), 0))
}
