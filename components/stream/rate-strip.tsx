"use client"

import type { ReactNode } from "react"
import { formatNumber } from "@/lib/platform/format"
import { RateBars } from "@/components/stream/rate-bars"
import { totalOf, type Rate } from "@/components/stream/rate"

type RateStripProps = {
  rate: Rate
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
