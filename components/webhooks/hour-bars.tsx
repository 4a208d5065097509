"use client"

import { useRef, useState, type KeyboardEvent } from "react"
import { cn } from "@/components/ui/cn"
import { hourName, hourWords, totalOf, type Hour } from "@/components/webhooks/hours"

type HourBarsProps = {
  hours: Hour[]
  /** The hour that the list is filtered to. */
  chosen: string | null
  onChoose: (hour: string | null) => void
}

/**
 * Deliveries by hour; the red part of a bar is the share whose first attempt failed. One bar is a stop of the Tab key, arrow
 * keys move; a click or Enter filters the list to its hour, and another one shows all again.
 */
export function HourBars({ hours, chosen, onChoose }: HourBarsProps) {
  const top = Math.max(1, ...hours.map(totalOf))
  const [stop, setStop] = useState(hours.length - 1)
  const [at, setAt] = useState<number>()
  const row = useRef<HTMLDivElement>(null)
  const shown = at === undefined ? undefined : hours[at]

  function onKeyDown(event: KeyboardEvent) {
    const last = hours.length - 1
    const to = { ArrowLeft: Math.max(0, stop - 1), ArrowRight: Math.min(last, stop + 1), Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    row.current?.querySelectorAll("button")[to]?.focus()
  }
  return (
    <figure className="mt-3">
      <figcaption className="mb-2 flex flex-wrap justify-between gap-x-4 text-xs text-muted">
        <span className="flex flex-wrap gap-x-4">
          <Key className="bg-good">Delivered on the first attempt</Key>
          <Key className="bg-bad">First attempt failed</Key>
        </span>
        <span aria-hidden="true" className="min-h-4 tabular-nums">
          {shown ? hourWords(shown) : ""}
        </span>
      </figcaption>
      <div
        ref={row}
        role="group"
        aria-label="Deliveries by hour; arrow keys move, Enter shows the deliveries of that hour"
        className="flex h-14 items-end border-b border-line"
        onKeyDown={onKeyDown}
        onPointerLeave={() => setAt(undefined)}
      >
        {hours.map((hour, index) => (
          <button
            key={hour.hour}
            type="button"
            tabIndex={index === Math.min(stop, hours.length - 1) ? 0 : -1}
            aria-label={hourWords(hour)}
            aria-pressed={hourName(hour.hour) === chosen}
            className={cn(
              "flex h-full min-w-0 flex-1 cursor-pointer flex-col justify-end px-px -outline-offset-2 sm:px-[1.5px]",
              (index === at || hourName(hour.hour) === chosen) && "bg-wait-soft",
            )}
            onClick={() => onChoose(hourName(hour.hour) === chosen ? null : hourName(hour.hour))}
            onPointerEnter={() => setAt(index)}
            onFocus={() => {
              setStop(index)
              setAt(index)
            }}
            onBlur={() => setAt(undefined)}
          >
            <span className="block w-full rounded-t-xs bg-bad" style={{ height: part(hour.firstFailed, top) }} />
            <span className="block w-full bg-good" style={{ height: part(hour.firstSucceeded, top) }} />
          </button>
        ))}
      </div>
      <p aria-hidden="true" className="flex justify-between pt-1 text-xs text-faint tabular-nums">
        {hours
          .filter((_, index) => index % 6 === 0)
          .map(({ hour }) => (
            <span key={hour}>{hour.slice(11, 16)}</span>
          ))}
        <span>now (UTC)</span>
      </p>
    </figure>
  )
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-xs ${className}`} />
      {children}
    </span>
  )
}

/** What is there stays visible, however small. */
function part(count: number, top: number): string {
  return count === 0 ? "0" : `max(2px, ${(count / top) * 100}%)`
}
