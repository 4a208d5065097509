"use client"

import { dateWords } from "@/components/ui/date-words"
import { useLocalTime } from "@/components/ui/local-time"

/** The time of day in seconds, in the reader's own time zone, with its day unless that is today. */
export function DayTime({ at, short }: { at: string; /** Either the time or the day. */ short?: boolean }) {
  const local = useLocalTime()
  const timeZone = local ? undefined : "UTC"
  const date = new Date(at)
  const day = dateWords(date, { day: "numeric", month: "short", timeZone })
  const today = dateWords(new Date(), { day: "numeric", month: "short", timeZone })
  const time = dateWords(date, { timeStyle: "medium", timeZone })
  return (
    // Server and browser may differ about what today is.
    <time dateTime={at} title={at} className="tabular-nums" suppressHydrationWarning>
      {day === today ? time : short ? day : `${day}, ${time}`}
    </time>
  )
}
