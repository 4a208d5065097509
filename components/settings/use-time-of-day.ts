import { dateWords } from "@/components/ui/date-words"
import { useInBrowser } from "@/components/ui/use-in-browser"

/** "16:40": for what happens within a day. */
export function useTimeOfDay(): (at: string) => string {
  const local = useInBrowser()
  return (at) => {
    const time = { hour: "2-digit", minute: "2-digit", timeZone: local ? undefined : "UTC" } as const
    return `${dateWords(at, time)}${local ? "" : " UTC"}`
  }
}
