import { useNow } from "@/components/ui/relative-time"
import { useSyncExternalStore } from "react"
import { dateWords } from "@/components/ui/time-words"

type TimeChoice = "local" | "utc"

/** The cookie that keeps the choice of a person in this browser; without it times are local. */
const timesCookie = "times"
const maxAgeSeconds = 365 * 24 * 3_600
const listeners = new Set<() => void>()

/** Whether times are written in the reader's own zone; else in UTC: by choice, on the server and during hydration. */
export function useLocalTime(): boolean {
  return useSyncExternalStore(subscribe, isLocal, () => false)
}

/** Shows all times so at once, and keeps that for the next visit. */
export function chooseTimes(choice: TimeChoice) {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  const [value, maxAge] = choice === "local" ? ["", 0] : [choice, maxAgeSeconds]
  document.cookie = `${timesCookie}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`
  for (const listener of listeners) listener()
}

/** The name of the zone in which times are written. */
export function zoneName(local: boolean): string {
  return local ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC"
}

/** That name, for days that the server counts. */
export function useTimeZone(): string {
  return zoneName(useLocalTime())
}

function isLocal(): boolean {
  return !document.cookie.split("; ").includes(`${timesCookie}=utc`)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A moment as the sentences of the API have it: "2026-11-28 14:02 UTC", and "28 Nov 2026, 14:02 UTC" in notices. */
const utcMoment = /(\d{4}-\d\d-\d\d|\d\d? \w{3,4} \d{4},) (\d\d:\d\d(?::\d\d)?) UTC/g

/** Writes a sentence of the API with its moments in the reader's zone. */
export function useReaderTimes(): (sentence: string) => string {
  const timeZone = useTimeZone()
  const now = useNow()
  return (sentence) => withReaderTimes(sentence, timeZone, new Date(now))
}

/** "14:02" of the day that it is there, "14:02 on 27 November" of another one. */
export function withReaderTimes(sentence: string, timeZone: string, now: Date): string {
  return sentence.replace(utcMoment, (_, day: string, time: string) => {
    const at = new Date(day.endsWith(",") ? `${day.replace("Sept", "Sep")} ${time} UTC` : `${day}T${time}Z`)
    const second = time.length > 5 ? ("2-digit" as const) : undefined
    const clock = dateWords(at, { hour: "2-digit", minute: "2-digit", second, timeZone })
    const [there = "", today = ""] = [at, now].map((one) => dateWords(one, { dateStyle: "long", timeZone }))
    // The year is said where it is another one.
    const date = there.slice(-4) === today.slice(-4) ? there.slice(0, -5) : there
    return `${clock}${timeZone === "UTC" ? " UTC" : ""}${there === today ? "" : ` on ${date}`}`
  })
}

/** "16:40": for what happens within a day. */
export function useTimeOfDay(): (at: string) => string {
  const local = useLocalTime()
  return (at) => {
    const time = { hour: "2-digit", minute: "2-digit", timeZone: local ? undefined : "UTC" } as const
    return `${dateWords(at, time)}${local ? "" : " UTC"}`
  }
}
