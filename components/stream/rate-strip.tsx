"use client"

import { useEffect, useState } from "react"
import { Sparkline } from "@/components/ui/sparkline"
import type { RateMeter } from "@/components/stream/rate"

type RateStripProps = { meter: RateMeter; received: number }

/** Events per second over the last two minutes, and how many have arrived since the page was opened. */
export function RateStrip({ meter, received }: RateStripProps) {
  const [values, setValues] = useState(() => meter.read(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => setValues(meter.read(Date.now())), 1_000)
    return () => clearInterval(timer)
  }, [meter])
  const now = values.at(-1) ?? 0
  const peak = Math.max(...values)

  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-3 border-b border-line px-4 py-3">
      <Sparkline
        values={values}
        label={`Events per second over the last 2 minutes: ${words(now)} now, peak ${words(peak)}.`}
        className="h-9 w-full sm:w-72"
      />
      <dl className="flex flex-1 flex-wrap justify-between gap-x-8 gap-y-1 tabular-nums sm:justify-start">
        <Figure label="Events/s" value={now} />
        <Figure label="Peak (2 min)" value={peak} />
        <Figure label="Total" value={received} />
      </dl>
    </div>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="font-semibold">{words(value)}</dd>
    </div>
  )
}

function words(count: number): string {
  return count.toLocaleString("en")
}
