import type { TypeCounts } from "@/components/stream/rate"
import { eventTypes } from "@/components/stream/stream-event"
import { cn } from "@/components/ui/cn"

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
