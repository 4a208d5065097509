"use client"

import { useState, type ReactNode } from "react"
import { barWords, count, shortBar, type UsageBar } from "@/components/api-keys/usage-bars"
import { cn } from "@/components/ui/cn"

type UsageChartProps = {
  bars: UsageBar[]
  /** "30 days", for its name. */
  period: string
  /** Shows the requests of a bar. */
  onOpen: (at: string) => void
}

/** Requests as bars. One is picked with the pointer or the arrow keys and read out; a click or Enter shows its requests. */
export function UsageChart({ bars, period, onOpen }: UsageChartProps) {
  const [picked, setPicked] = useState<number>()
  const last = bars.length - 1
  const top = Math.max(...bars.map(({ requests }) => requests), 1)
  const bar = picked === undefined ? undefined : bars[picked]
  const total = bars.reduce((sum, { requests }) => sum + requests, 0)
  const words = bar && barWords(bar, picked === last)

  function onKey(key: string): boolean {
    if (key === "Enter" && bar) {
      onOpen(bar.at)
      return true
    }
    const from = picked ?? last + 1
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[key]
    if (to === undefined) return false
    setPicked(Math.min(last, Math.max(0, to)))
    return true
  }

  return (
    <div className="px-4 pb-4">
      <p aria-live="polite" className="min-h-5 text-sm text-muted tabular-nums">
        {words}
      </p>
      <div className="relative mt-1">
        <ScaleLine className="top-0">{count(top)}</ScaleLine>
        <ScaleLine className="top-1/2">{top >= 10 ? count(Math.round(top / 2)) : null}</ScaleLine>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`Requests: ${count(total)} in ${period}. Arrow keys move, Enter shows the requests of a bar`}
          aria-valuemin={1}
          aria-valuemax={bars.length}
          aria-valuenow={(picked ?? last) + 1}
          aria-valuetext={words ?? period}
          className="relative mr-12 flex h-36 cursor-pointer items-end gap-0.5 rounded-sm border-b border-line sm:gap-1"
          onKeyDown={(event) => {
            if (onKey(event.key)) event.preventDefault()
          }}
          onPointerLeave={() => setPicked(undefined)}
          onBlur={() => setPicked(undefined)}
        >
          {bars.map((each, index) => (
            <span
              key={each.at}
              className={cn(
                "flex h-full min-w-0 flex-1 flex-col justify-end rounded-t-xs",
                index === picked && "bg-wait-soft",
              )}
              onPointerEnter={() => setPicked(index)}
              onClick={() => onOpen(each.at)}
            >
              {partsOf(each).map(({ value, colour }, nth) =>
                value > 0 ? <Part key={colour} share={value / top} className={cn(colour, nth > 0 && "mt-px")} /> : null,
              )}
            </span>
          ))}
        </div>
      </div>
      <p className="mt-1.5 mr-12 flex justify-between text-xs text-muted tabular-nums" aria-hidden="true">
        <span>{bars[0] ? shortBar(bars[0].at) : ""}</span>
        <span>{bars[last] && bars[last].at.length > 10 ? "This hour (UTC)" : "Today"}</span>
      </p>
    </div>
  )
}

/** A line behind the bars, with its number in the margin at the right. */
function ScaleLine({ className, children }: { className: string; children: ReactNode }) {
  return (
    <p
      aria-hidden="true"
      className={cn(
        "pointer-events-none absolute inset-x-0 border-t border-dashed border-line text-right text-xs text-faint tabular-nums",
        className,
      )}
    >
      {children}
    </p>
  )
}

/** From the top down: during a rotation by key, else what was refused and the rest. */
function partsOf({ requests, refused, shares }: UsageBar) {
  if (shares)
    return [
      { value: shares.old, colour: "bg-line-field" },
      { value: shares.next, colour: "bg-accent" },
    ]
  return [
    { value: refused, colour: "bg-warn" },
    { value: requests - refused, colour: "bg-accent" },
  ]
}

/** At least two pixels: a day with one request is not a day without. */
function Part({ share, className }: { share: number; className: string }) {
  return <span className={cn("block min-h-0.5 rounded-t-xs", className)} style={{ height: `${share * 100}%` }} />
}
