import { createParser } from "nuqs/server"
import { dateWords } from "@/components/ui/time-words"
import { dayMs } from "@/lib/platform/time"

/** A day of the calendar as `2026-11-21`; anything else in the address is as if it were not there. */
export const parseAsDay = createParser({ parse: (text) => (isDay(text) ? text : null), serialize: String })

export const utc = "UTC"

/** When a day begins in a time zone, or one some days later. */
export function midnightOf(day: string, timeZone: string, daysLater = 0): string {
  const midnight = Date.parse(day) + daysLater * dayMs
  const wanted = new Date(midnight).toISOString().slice(0, 10)
  const first = new Date(midnight - offsetMs(timeZone, midnight))
  // Where the clocks change near midnight, the offset there is another one.
  const second = new Date(midnight - offsetMs(timeZone, first.getTime()))
  return [second, first].find((at) => dayIn(timeZone, at) === wanted)?.toISOString() ?? first.toISOString()
}

/** The day of a moment in a time zone. */
export function dayIn(timeZone: string, at: Date): string {
  return new Date(clockMs(timeZone, at.getTime())).toISOString().slice(0, 10)
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetMs(timeZone: string, at: number): number {
  return clockMs(timeZone, at) - at
}

const clockOptions: Intl.DateTimeFormatOptions = {
  ...{ year: "numeric", month: "2-digit", day: "2-digit", hourCycle: "h23" },
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
}

/** The moment at which the clocks of UTC show what those of a zone show now, to the second. */
function clockMs(timeZone: string, at: number): number {
  const [day = 1, month = 1, year = 0, ...time] = (
    dateWords(at, { ...clockOptions, timeZone }).match(/\d+/g) ?? []
  ).map(Number)
  return Date.UTC(year, month - 1, day, ...time)
}

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  )
}
