"use client"

import { useState, type KeyboardEvent, type PointerEvent } from "react"
import { formatNumber } from "@/lib/platform/format"
import { barWords, totalOf, type TypeCounts, TypeDot } from "@/components/stream/rate"
import { eventTypes } from "@/components/stream/events"
import { cn } from "@/components/ui/cn"

type BarReaderProps = {
  bars: readonly TypeCounts[]
  /** The bar after the last of them, counted since 1970. */
  until: number
  /** The time that a bar is: "Second". */
  unit: string
  /** When it was, in words. */
  timeOf: (bar: number) => string
  /** A bar was clicked, or Enter pressed on it. */
  onPick?: ((bar: number) => void) | undefined
}

/** Reads one of the bars below it, by pointer or arrow keys, and keeps to it while the bars move on. */
export function BarReader({ bars, until, unit, timeOf, onPick }: BarReaderProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const [first, last] = [until - bars.length, until - 1]
  const within = (bar: number) => Math.min(last, Math.max(first, bar))
  const at = within(chosen ?? last)
  const shown = chosen === null || chosen < first ? undefined : bars[chosen - first]

  function onPointerMove({ currentTarget, clientX }: PointerEvent<HTMLElement>) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setChosen(within(first + Math.floor(((clientX - left) / width) * bars.length)))
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") return setChosen(null)
    if (event.key === "Enter") return onPick?.(at)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: first, End: last }[
      event.key
    ]
    if (to === undefined) return
    event.preventDefault()
    setChosen(within(to))
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${unit}; arrow keys move${onPick ? ", Enter shows its events" : ""}`}
      aria-orientation="horizontal"
      aria-valuemin={first}
      aria-valuemax={last}
      aria-valuenow={at}
      aria-valuetext={barWords(timeOf(at), bars[at - first] ?? {})}
      className={cn("absolute inset-0 -outline-offset-2", onPick && "cursor-pointer")}
      onPointerMove={onPointerMove}
      onPointerDown={onPointerMove}
      onClick={() => onPick?.(at)}
      onPointerLeave={() => setChosen(null)}
      onKeyDown={onKeyDown}
      onFocus={() => setChosen((before) => before ?? last)}
      onBlur={() => setChosen(null)}
    >
      {shown ? (
        <Tip counts={shown} time={timeOf(at)} place={(at - first) / bars.length} width={1 / bars.length} />
      ) : null}
    </div>
  )
}

type TipProps = { counts: TypeCounts; time: string; place: number; width: number }

/** The band of the bar, and its figures on the side that has room. */
function Tip({ counts, time, place, width }: TipProps) {
  const left = `${place * 100}%`
  return (
    <div aria-hidden="true" className="pointer-events-none">
      <span className="absolute inset-y-0 bg-text/15" style={{ left, width: `${width * 100}%` }} />
      <div
        className={cn(
          "absolute top-1 z-10 w-40 rounded-md border border-line-strong bg-panel px-3 py-2 text-xs shadow-float",
          place > 0.5 ? "-translate-x-[calc(100%+12px)]" : "translate-x-4",
        )}
        style={{ left }}
      >
        <p className="flex justify-between gap-2 font-semibold tabular-nums">
          <span>{time}</span>
          <span>{formatNumber(totalOf(counts))}</span>
        </p>
        {totalOf(counts) === 0 ? <p className="text-muted">No events</p> : null}
        {Object.entries(eventTypes).map(([type, { word }]) =>
          counts[type] ? (
            <p key={type} className="flex items-center gap-2 text-muted">
              <TypeDot type={type} />
              <span className="flex-1">{word}</span>
              <span className="text-text tabular-nums">{formatNumber(counts[type])}</span>
            </p>
          ) : null,
        )}
      </div>
    </div>
  )
}
