"use client"

import { byType, rateSeconds, scaleOf, totalOf, type Second } from "@/components/stream/rate"
import { eventTypes } from "@/components/stream/stream-event"
import { cn } from "@/components/ui/cn"

const height = 60

/** Events of each of the last 120 seconds, stacked by type; a second without any is empty. */
export function RateBars({ seconds, className }: { seconds: readonly Second[]; className?: string }) {
  const totals = seconds.map(totalOf)
  const peak = Math.max(0, ...totals)
  const now = totals.at(-1) ?? 0
  const scale = scaleOf(peak)
  const parts = Object.entries(byType(seconds)).map(([type, count]) => `${count} ${type}`)
  return (
    <svg
      role="img"
      aria-label={`Events per second over the last 2 minutes: ${words(now)} now, peak ${words(peak)}${parts.length ? `; ${parts.join(", ")}` : ""}.`}
      viewBox={`0 0 ${rateSeconds} ${height}`}
      preserveAspectRatio="none"
      className={cn("block w-full border-b border-line-strong", className)}
    >
      {seconds.map((second, at) => (
        <Bar key={at} second={second} at={at} scale={scale} />
      ))}
    </svg>
  )
}

function Bar({ second, at, scale }: { second: Second; at: number; scale: number }) {
  let below = 0
  return Object.keys(eventTypes).map((type) => {
    const count = second[type] ?? 0
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

function words(count: number): string {
  return count.toLocaleString("en")
}
