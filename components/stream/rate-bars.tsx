"use client"

import { barFill } from "@/components/stream/bar-fill"
import { byType, rateSeconds, scaleOf, totalOf, type Second } from "@/components/stream/rate"
import { SecondReader } from "@/components/stream/second-reader"
import { eventTypes } from "@/components/stream/stream-event"

const height = 60

type RateBarsProps = {
  seconds: readonly Second[]
  /** The second after the last of them, since 1970. */
  until: number
  onPick?: ((second: number) => void) | undefined
}

/** Events of each of the last 120 seconds, stacked by type; a second without any is empty. */
export function RateBars({ seconds, until, onPick }: RateBarsProps) {
  const totals = seconds.map(totalOf)
  const peak = Math.max(0, ...totals)
  const now = totals.at(-1) ?? 0
  const scale = scaleOf(peak)
  const parts = Object.entries(byType(seconds)).map(([type, count]) => `${count} ${type}`)
  return (
    <div className="relative h-24 pb-5 text-xs text-muted tabular-nums">
      <span aria-hidden="true" className="absolute top-0 left-0">
        {words(scale)}/s
      </span>
      {peak === 0 ? (
        <p className="absolute inset-x-0 top-7 text-center text-sm">No events in the last 2 minutes</p>
      ) : null}
      <span aria-hidden="true" className="absolute inset-x-0 bottom-0 flex justify-between">
        <span>2 min ago</span>
        <span>1 min</span>
        <span>now</span>
      </span>
      <svg
        role="img"
        aria-label={`Events per second over the last 2 minutes: ${words(now)} now, peak ${words(peak)}${parts.length ? `; ${parts.join(", ")}` : ""}.`}
        viewBox={`0 0 ${rateSeconds} ${height}`}
        preserveAspectRatio="none"
        className="block size-full border-b border-line-strong"
      >
        {seconds.map((second, at) => (
          <Bar key={at} second={second} at={at} scale={scale} />
        ))}
      </svg>
      <SecondReader seconds={seconds} until={until} onPick={onPick} />
    </div>
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

function words(count: number): string {
  return count.toLocaleString("en")
}
