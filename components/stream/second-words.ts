import { totalOf, type Second } from "@/components/stream/rate"
import { eventWords } from "@/components/stream/stream-event"

/** "14:17:02" of a second since 1970, in the reader's time zone. */
export function clockOf(second: number): string {
  return new Date(second * 1000).toLocaleTimeString("en-GB", { hour12: false })
}

/** What happened in a second: "14:17:02, 5 events: 3 sent, 2 delivered". */
export function secondWords(at: number, second: Second): string {
  const total = totalOf(second)
  const parts = Object.entries(second).map(([type, count]) => `${count} ${eventWords(type).word.toLowerCase()}`)
  if (total === 0) return `${clockOf(at)}, no events`
  return `${clockOf(at)}, ${total} ${total === 1 ? "event" : "events"}: ${parts.join(", ")}`
}
