import { eventWords, eventTypes } from "@/components/stream/events"
import { dateWords } from "@/components/ui/time-words"
import { periodMs } from "@/lib/stream/rules"
import { cn } from "@/components/ui/cn"

/** How far back the rate is shown. */
export const rateSeconds = 120

/** How many events of each type there were in a second, or in another time that is drawn as one bar. */
export type TypeCounts = Readonly<Record<string, number>>

/** The last 120 whole seconds, oldest first; `until` is the one after them, since 1970. */
export type EventRate = { seconds: readonly TypeCounts[]; until: number }

export type RateMeter = {
  /** Counts events that arrived at this moment, in milliseconds since 1970. */
  add: (types: readonly string[], now: number) => void
  /** Events before the current second, at this moment in milliseconds since 1970. */
  read: (now: number) => EventRate
}

const none: TypeCounts = {}

/** Counts per second and type in a ring buffer of 121 records. */
export function createRateMeter(): RateMeter {
  const size = rateSeconds + 1
  const counts = new Array<TypeCounts>(size).fill(none)
  const seconds = new Array<number>(size).fill(0)
  return {
    add(types, now) {
      const second = Math.floor(now / 1000)
      const at = second % size
      const counted: Record<string, number> = seconds[at] === second ? { ...counts[at] } : {}
      for (const type of types) counted[type] = (counted[type] ?? 0) + 1
      seconds[at] = second
      counts[at] = counted
    },
    read(now) {
      const until = Math.floor(now / 1000)
      const read = Array.from({ length: rateSeconds }, (_, index) => {
        const second = until - rateSeconds + index
        return seconds[second % size] === second ? (counts[second % size] ?? none) : none
      })
      return { seconds: read, until }
    },
  }
}

/** All events of a bar. */
export function totalOf(counts: TypeCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** How many of each type there were in all of these bars. */
export function byType(bars: readonly TypeCounts[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const counts of bars) for (const [type, count] of Object.entries(counts)) sums[type] = (sums[type] ?? 0) + count
  return sums
}

/** The top of the scale: the next of 10, 50, 100, 500 and so on. */
export function scaleOf(most: number): number {
  for (let power = 10; ; power *= 10) for (const top of [power, 5 * power]) if (most <= top) return top
}

/** "14:17:02" of a second since 1970. */
export function clockOf(second: number, timeZone: string): string {
  return dateWords(second * 1000, { timeStyle: "medium", timeZone })
}

/** "14:16 to 14:18" of a period of two minutes since 1970. */
export function periodOf(period: number, timeZone: string): string {
  const [from, to] = [period, period + 1].map((at) => clockOf((at * periodMs) / 1000, timeZone).slice(0, 5))
  return `${from} to ${to}`
}

/** What happened in a bar: "14:17:02, 5 events: 3 sent, 2 delivered". */
export function barWords(time: string, counts: TypeCounts): string {
  const total = totalOf(counts)
  const parts = Object.entries(counts).map(([type, count]) => `${count} ${eventWords(type).word.toLowerCase()}`)
  if (total === 0) return `${time}, no events`
  return `${time}, ${total} ${total === 1 ? "event" : "events"}: ${parts.join(", ")}`
}

const height = 60

type StackedBarsProps = {
  bars: readonly TypeCounts[]
  /** The number of events that is as high as the picture. */
  scale: number
  label: string
  className?: string
}

/** Numbers of events in the size of what is around them, stacked by type; a bar without any is empty. */
export function StackedBars({ bars, scale, label, className }: StackedBarsProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length} ${height}`}
      preserveAspectRatio="none"
      className={cn("block size-full", className)}
    >
      {bars.map((counts, at) => (
        <Bar key={at} counts={counts} at={at} scale={scale} />
      ))}
    </svg>
  )
}

function Bar({ counts, at, scale }: { counts: TypeCounts; at: number; scale: number }) {
  let below = 0
  return Object.keys(eventTypes).map((type) => {
    const count = counts[type] ?? 0
    if (count === 0) return null
    const size = (count / scale) * height
    below += size
    return <rect key={type} x={at + 0.1} y={height - below} width={0.8} height={size} className={barFill[type]} />
  })
}

/** The shade of each type, in bars and in the dots of their chips. */
export const barFill: Record<string, string> = {
  sent: "fill-line-field",
  delivered: "fill-good",
  opened: "fill-good/70",
  clicked: "fill-[color-mix(in_srgb,var(--good),var(--text)_55%)]",
  bounced: "fill-bad",
  complained: "fill-bad",
  unsubscribed: "fill-wait",
}

/** A dot in the shade that the bars of this type have. */
export function TypeDot({ type }: { type: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 8" className={cn("size-2 shrink-0", barFill[type])}>
      <circle cx="4" cy="4" r="4" />
    </svg>
  )
}
