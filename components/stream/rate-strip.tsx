"use client"

import type { ReactNode } from "react"
import { BarReader } from "@/components/stream/bar-reader"
import { byType, clockOf, type EventRate, scaleOf, totalOf, type TypeCounts } from "@/components/stream/rate"
import { StackedBars } from "@/components/stream/stacked-bars"
import { formatNumber } from "@/lib/platform/format"

type RateStripProps = {
  rate: EventRate
  received: number
  onPick?: (second: number) => void
  /** The state of the stream and its switch, beside the figures. */
  children?: ReactNode
}

/** Events per second over the last two minutes, and how many have arrived since the page was opened. */
export function RateStrip({ rate, received, onPick, children }: RateStripProps) {
  const totals = rate.seconds.map(totalOf)
  return (
    <div className="grid gap-3 border-b border-line px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2">
        <dl className="flex flex-wrap gap-x-8 gap-y-1 tabular-nums">
          <Figure label="Events/s" value={totals.at(-1) ?? 0} />
          <Figure label="Peak (2 min)" value={Math.max(0, ...totals)} />
          <Figure label="Total" value={received} />
        </dl>
        {children ? <span className="ml-auto flex items-center gap-3">{children}</span> : null}
      </div>
      <RateBars {...rate} onPick={onPick} />
    </div>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="font-semibold">{formatNumber(value)}</dd>
    </div>
  )
}

type RateBarsProps = {
  seconds: readonly TypeCounts[]
  /** The second after the last of them, since 1970. */
  until: number
  onPick?: ((second: number) => void) | undefined
}

/** Events of each of the last 120 seconds, stacked by type; a second without any is empty. */
function RateBars({ seconds, until, onPick }: RateBarsProps) {
  const totals = seconds.map(totalOf)
  const peak = Math.max(0, ...totals)
  const now = totals.at(-1) ?? 0
  const scale = scaleOf(peak)
  const parts = Object.entries(byType(seconds)).map(([type, count]) => `${count} ${type}`)
  return (
    <div className="relative h-24 pb-5 text-xs text-muted tabular-nums">
      <span aria-hidden="true" className="absolute top-0 left-0">
        {formatNumber(scale)}/s
      </span>
      {peak === 0 ? (
        <p className="absolute inset-x-0 top-7 text-center text-sm">No events in the last 2 minutes</p>
      ) : null}
      <span aria-hidden="true" className="absolute inset-x-0 bottom-0 flex justify-between">
        <span>2 min ago</span>
        <span>1 min</span>
        <span>now</span>
      </span>
      <StackedBars
        bars={seconds}
        scale={scale}
        label={`Events per second over the last 2 minutes: ${formatNumber(now)} now, peak ${formatNumber(peak)}${parts.length ? `; ${parts.join(", ")}` : ""}.`}
        className="border-b border-line-strong"
      />
      <BarReader bars={seconds} until={until} unit="Second" timeOf={clockOf} onPick={onPick} />
    </div>
  )
}
