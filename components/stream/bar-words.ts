import { totalOf, type TypeCounts } from "@/components/stream/rate"
import { eventWords } from "@/components/stream/stream-event"
import { dateWords } from "@/components/ui/date-words"
import { periodMs } from "@/lib/stream/rules"

/** "14:17:02" of a second since 1970, in the reader's time zone. */
export function clockOf(second: number): string {
  return dateWords(second * 1000, { timeStyle: "medium" })
}

/** "14:16 to 14:18" of a period of two minutes since 1970, in the reader's time zone. */
export function periodOf(period: number): string {
  const [from, to] = [period, period + 1].map((at) => clockOf((at * periodMs) / 1000).slice(0, 5))
  return `${from} to ${to}`
}

/** What happened in a bar: "14:17:02, 5 events: 3 sent, 2 delivered". */
export function barWords(time: string, counts: TypeCounts): string {
  const total = totalOf(counts)
  const parts = Object.entries(counts).map(([type, count]) => `${count} ${eventWords(type).word.toLowerCase()}`)
  if (total === 0) return `${time}, no events`
  return `${time}, ${total} ${total === 1 ? "event" : "events"}: ${parts.join(", ")}`
}
