"use client"

import { dateWords } from "@/components/ui/time-words"
import { useNow } from "@/components/ui/relative-time"
import { useLocalTime, zoneName } from "@/components/ui/local-time"

type ClockTimeProps = {
  at: string
  /** The time shown before it: within the same second only the fraction is written. */
  after?: string
}

/** A time of day to the millisecond, in the reader's own time zone; the whole moment on hover. */
export function ClockTime({ at, after }: ClockTimeProps) {
  const local = useLocalTime()
  const date = new Date(at)
  const same = after !== undefined && Math.floor(Date.parse(after) / 1000) === Math.floor(date.getTime() / 1000)
  return (
    <time dateTime={at} title={at}>
      {same ? fraction(date) : clock(date, local)}
    </time>
  )
}

/** "14:02", where the day is said elsewhere; the whole moment on hover. */
export function ShortTime({ at }: { at: string }) {
  const local = useLocalTime()
  const time = dateWords(at, {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: local ? undefined : "UTC",
  })
  return (
    <time dateTime={at} title={at} className="tabular-nums">
      {time}
    </time>
  )
}

/** The time of day in seconds, in the reader's own time zone, with its day unless that is today. */
export function DayTime({ at, short }: { at: string; /** Either the time or the day. */ short?: boolean }) {
  const now = useNow()
  const local = useLocalTime()
  return (
    <time dateTime={at} title={at} className="tabular-nums">
      {dayTimeWords(at, { now, timeZone: local ? undefined : "UTC", ...(short && { short }) })}
    </time>
  )
}

type DayTimeOptions = { now: number; timeZone: string | undefined; short?: boolean }

/** "14:02:31" of today, else "21 Nov, 14:02:31", with the year where it is another one; `short` leaves out the time of another day. */
export function dayTimeWords(at: string, { now, timeZone, short = false }: DayTimeOptions): string {
  const wordsOf = (moment: string | number, year?: "numeric") =>
    dateWords(moment, { day: "numeric", month: "short", year, timeZone })
  const [whole, today] = [wordsOf(at, "numeric"), wordsOf(now, "numeric")]
  const time = dateWords(at, { timeStyle: "medium", timeZone })
  if (whole === today) return time
  const day = whole.slice(-4) === today.slice(-4) ? wordsOf(at) : whole
  return short ? day : `${day}, ${time}`
}

/** "Tuesday 24 November, 14:02", with the year where it is another one. */
export function Moment({ at }: { at: string }) {
  const now = useNow()
  const local = useLocalTime()
  const date = new Date(at)
  const timeZone = local ? undefined : "UTC"
  const year = date.getUTCFullYear() === new Date(now).getUTCFullYear() ? undefined : "numeric"
  const day = dateWords(date, { weekday: "long", day: "numeric", month: "long", year, timeZone })
  const time = dateWords(date, { hour: "2-digit", minute: "2-digit", timeZone })
  return (
    <time dateTime={at} title={at}>
      {day.replace(",", "")}, {time}
    </time>
  )
}

/** "21 November 2026, 15:02": for sentences. */
export function useMoment(): (at: string) => string {
  const local = useLocalTime()
  return (at) => {
    const moment = dateWords(at, { dateStyle: "long", timeStyle: "short", timeZone: local ? undefined : "UTC" })
    return `on ${moment} ${zoneName(local)}`
  }
}

function clock(date: Date, local: boolean): string {
  const time = dateWords(date, { timeStyle: "medium", timeZone: local ? undefined : "UTC" })
  return time + fraction(date)
}

function fraction(date: Date): string {
  return `.${String(date.getMilliseconds()).padStart(3, "0")}`
}
