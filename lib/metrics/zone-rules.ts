import { bucketsOf, type Range } from "@/lib/metrics/rules"
import { hourMs } from "@/lib/platform/time"

export function isTimeZone(name: string): boolean {
  try {
    return dayName(name).resolvedOptions().timeZone !== undefined
  } catch {
    return false
  }
}

function dayName(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" })
}

/** A day of a time zone, by the whole UTC hours that begin in it; counters are kept by these. */
export type ZonedDay = { bucket: Date; hours: Date[] }

/**
 * The days of a time zone that a range touches, oldest first. The first may begin before the range, but is not earlier than
 * that of `from`, the moment which was widened to the whole hour with which the range begins.
 */
export function zonedDays(range: Range, timeZone: string, from = range.from): ZonedDay[] {
  const format = dayName(timeZone)
  const days: (ZonedDay & { name: string })[] = []
  for (const hour of bucketsOf(range, "hour")) {
    const name = format.format(hour)
    const last = days.at(-1)
    if (last?.name === name) last.hours.push(hour)
    else days.push({ name, bucket: hour, hours: [hour] })
  }
  // In a zone of half hours, the day before ends within that hour. It is all there is until the next hour begins.
  if (days.length > 1 && days[0]?.name !== format.format(from)) days.shift()
  return days.map(({ name, bucket, hours }, at) => ({
    bucket: at === 0 ? beginOf(bucket, (hour) => format.format(hour) === name) : bucket,
    hours,
  }))
}

function beginOf(hour: Date, isOfDay: (hour: Date) => boolean): Date {
  const before = new Date(hour.getTime() - hourMs)
  return isOfDay(before) ? beginOf(before, isOfDay) : hour
}
