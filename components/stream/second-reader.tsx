"use client"

import { useState, type KeyboardEvent, type PointerEvent } from "react"
import { barFill } from "@/components/stream/bar-fill"
import { totalOf, type Second } from "@/components/stream/rate"
import { clockOf, secondWords } from "@/components/stream/second-words"
import { eventTypes } from "@/components/stream/stream-event"
import { cn } from "@/components/ui/cn"

type SecondReaderProps = {
  seconds: readonly Second[]
  /** The second after the last of them, since 1970. */
  until: number
  /** A second was clicked, or Enter pressed on it. */
  onPick?: ((second: number) => void) | undefined
}

/** Reads one second of the bars below it, by pointer or arrow keys, and keeps to it while the bars move on. */
export function SecondReader({ seconds, until, onPick }: SecondReaderProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const [first, last] = [until - seconds.length, until - 1]
  const within = (second: number) => Math.min(last, Math.max(first, second))
  const at = within(chosen ?? last)
  const shown = chosen === null || chosen < first ? undefined : seconds[chosen - first]

  function onPointerMove({ currentTarget, clientX }: PointerEvent<HTMLElement>) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setChosen(within(first + Math.floor(((clientX - left) / width) * seconds.length)))
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
      aria-label={onPick ? "Second; arrow keys move, Enter shows its events" : "Second; arrow keys move"}
      aria-orientation="horizontal"
      aria-valuemin={first}
      aria-valuemax={last}
      aria-valuenow={at}
      aria-valuetext={secondWords(at, seconds[at - first] ?? {})}
      className={cn("absolute inset-0 -outline-offset-2", onPick && "cursor-pointer")}
      onPointerMove={onPointerMove}
      onPointerDown={onPointerMove}
      onClick={() => onPick?.(at)}
      onPointerLeave={() => setChosen(null)}
      onKeyDown={onKeyDown}
      onFocus={() => setChosen((before) => before ?? last)}
      onBlur={() => setChosen(null)}
    >
      {shown ? <Tip second={shown} at={at} place={(at - first) / seconds.length} /> : null}
    </div>
  )
}

/** The band of the second, and its figures on the side that has room. */
function Tip({ second, at, place }: { second: Second; at: number; place: number }) {
  const left = `${place * 100}%`
  return (
    <div aria-hidden="true" className="pointer-events-none">
      <span className="absolute inset-y-0 w-[calc(100%/120)] bg-text/15" style={{ left }} />
      <div
        className={cn(
          "absolute top-1 z-10 w-40 rounded-md border border-line-strong bg-panel px-3 py-2 text-xs shadow-float",
          place > 0.5 ? "-translate-x-[calc(100%+12px)]" : "translate-x-4",
        )}
        style={{ left }}
      >
        <p className="flex justify-between gap-2 font-semibold tabular-nums">
          <span>{clockOf(at)}</span>
          <span>{totalOf(second).toLocaleString("en")}</span>
        </p>
        {totalOf(second) === 0 ? <p className="text-muted">No events</p> : null}
        {Object.entries(eventTypes).map(([type, { word }]) =>
          second[type] ? (
            <p key={type} className="flex items-center gap-2 text-muted">
              <svg viewBox="0 0 8 8" className={cn("size-2", barFill[type])}>
                <circle cx="4" cy="4" r="4" />
              </svg>
              <span className="flex-1">{word}</span>
              <span className="text-text tabular-nums">{second[type].toLocaleString("en")}</span>
            </p>
          ) : null,
        )}
      </div>
    </div>
  )
}
