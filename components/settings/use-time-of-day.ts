import { dateWords } from "@/components/ui/time-words"
import { useLocalTime } from "@/components/ui/local-time"

/** "16:40": for what happens within a day. */
export function useTimeOfDay(): (at: string) => string {
  const local = useLocalTime()
  return (at) => {
    const time = { hour: "2-digit", minute: "2-digit", timeZone: local ? undefined : "UTC" } as const
    return `${dateWords(at, time)}${local ? "" : " UTC"}`
  }
}
