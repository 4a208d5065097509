import { dateWords } from "@/components/ui/date-words"
import { useTimeZone } from "@/components/ui/local-time"

/** A moment as the sentences of the API have it: "2026-11-28 14:02 UTC", and "28 Nov 2026, 14:02 UTC" in notices. */
const utcMoment = /(\d{4}-\d\d-\d\d|\d\d? \w{3,4} \d{4},) (\d\d:\d\d(?::\d\d)?) UTC/g

/** Writes a sentence of the API with its moments in the reader's zone. */
export function useReaderTimes(): (sentence: string) => string {
  const timeZone = useTimeZone()
  return (sentence) => withReaderTimes(sentence, timeZone, new Date())
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
