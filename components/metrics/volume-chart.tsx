"use client"

import { type KeyboardEvent, useRef, useState } from "react"
import { dayIn } from "@/components/data/day-filters"
import {
  axisText,
  type Bar,
  barsOf,
  barText,
  labelled,
  axisOf,
  series,
  type MetricsTimeline,
} from "@/components/metrics/chart"
import { cn } from "@/components/ui/cn"
import { dynamic } from "@/components/late-parts/dynamic"
import { useTimeZone } from "@/components/ui/local-time"
import { useGo } from "@/components/ui/leaving"
import { useStop } from "@/components/ui/chosen-in-row"
import { formatNumber } from "@/lib/platform/format"

/** Comes with the first bar that is pointed at. */
const VolumeTip = dynamic(() => import("@/components/metrics/volume-tip").then((module) => module.VolumeTip), {
  ssr: false,
})

type VolumeChartProps = {
  projectId: string
  timeline: MetricsTimeline
  /** Sent in an average bucket of the period before. */
  before: number | null
  /** Sent on the same day a week before, by bar. */
  earlier: ReadonlyMap<string, number> | null
}

/**
 * Stacked bars of the window. One bar is a stop of the Tab key; arrow keys move, Enter or a click opens Emails of that day.
 * The values are in a table for screen readers.
 */
export function VolumeChart({ projectId, timeline, before, earlier }: VolumeChartProps) {
  const openPage = useGo()
  const timeZone = useTimeZone()
  const { granularity } = timeline
  const bars = barsOf(timeline, timeZone)
  const heights = bars.map(({ at, parts, forecast }) =>
    Math.max(
      series.reduce((sum, { name }) => sum + parts[name], 0),
      forecast ?? 0,
      earlier?.get(at) ?? 0,
    ),
  )
  const { top, lines } = axisOf(Math.max(0, before ?? 0, ...heights))
  const marks = labelled(bars.length)
  const [pointed, setPointed] = useState<string | null>(null)
  const at = bars.findIndex((bar) => bar.at === pointed)
  const [stop, setStop] = useStop(bars.map((bar) => bar.at))
  const row = useRef<HTMLDivElement>(null)

  function open({ at }: Bar) {
    const day = dayIn(timeZone, new Date(at))
    openPage(`/projects/${projectId}/emails?since=${day}&until=${day}`)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") return setPointed(null)
    const to = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: bars.length - 1 }[event.key]
    if (to === undefined || !bars[to]) return
    event.preventDefault()
    setStop(bars[to].at)
    row.current?.querySelectorAll("button")[to]?.focus()
  }

  const shown = bars[at]
  return (
    <div className="px-4 pt-4 pb-3">
      <div className="relative ml-11 h-48" onPointerLeave={() => setPointed(null)}>
        {lines.map((line) => (
          <span
            key={line}
            aria-hidden="true"
            className="absolute inset-x-0 border-t border-line"
            style={{ bottom: percent(line, top) }}
          >
            <span className="absolute right-full -translate-y-1/2 pr-2 text-xs text-muted tabular-nums">
              {formatNumber(line)}
            </span>
          </span>
        ))}
        <div
          ref={row}
          role="group"
          aria-label={`Emails by ${granularity}; arrow keys move, Enter opens the emails of that day`}
          onKeyDown={onKeyDown}
          className="absolute inset-0 flex items-stretch"
        >
          {bars.map((bar, index) => (
            <button
              key={bar.at}
              type="button"
              tabIndex={index === stop ? 0 : -1}
              aria-label={sentence(bar, granularity, timeZone, earlier?.get(bar.at))}
              onClick={() => open(bar)}
              onPointerEnter={() => setPointed(bar.at)}
              onFocus={() => {
                setStop(bar.at)
                setPointed(bar.at)
              }}
              onBlur={() => setPointed(null)}
              className={cn("relative min-w-0 flex-1 cursor-pointer -outline-offset-2", at === index && "bg-wait-soft")}
            >
              {bar.forecast && bar.forecast > bar.sent ? (
                <span
                  className="absolute inset-x-[16%] bottom-0 border border-b-0 border-dashed border-line-field"
                  style={{ height: percent(bar.forecast, top) }}
                />
              ) : null}
              <span
                className={cn("absolute inset-x-[16%] inset-y-0 flex flex-col justify-end", bar.cut && "opacity-60")}
              >
                {series
                  .toReversed()
                  .map(({ name, colour }) =>
                    bar.parts[name] > 0 ? (
                      <span
                        key={name}
                        className={cn("w-full shrink-0", colour)}
                        style={{ height: percent(bar.parts[name], top) }}
                      />
                    ) : null,
                  )}
              </span>
              {earlier?.has(bar.at) ? (
                <span
                  className="absolute inset-x-[8%] h-0.5 bg-text"
                  style={{ bottom: percent(earlier.get(bar.at) ?? 0, top) }}
                />
              ) : null}
            </button>
          ))}
        </div>
        {before !== null && before > 0 ? (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-x-0 border-t border-dashed border-text/60"
            style={{ bottom: percent(before, top) }}
          />
        ) : null}
        {shown ? (
          <VolumeTip
            bar={shown}
            granularity={granularity}
            timeZone={timeZone}
            earlier={earlier?.get(shown.at)}
            left={at > bars.length / 2}
            place={(at + 0.5) / bars.length}
          />
        ) : null}
      </div>
      <div aria-hidden="true" className="mt-1.5 ml-11 flex">
        {bars.map((bar, index) => (
          <span
            key={bar.at}
            className="flex min-w-0 flex-1 justify-center text-xs whitespace-nowrap text-muted tabular-nums"
          >
            {marks.has(index) ? (
              <span
                className={cn(
                  "shrink-0",
                  index === bars.length - 1 && bars.length > 12 && "-translate-x-1/3",
                  [...marks].indexOf(index) % 2 !== (marks.size - 1) % 2 && "max-sm:hidden",
                )}
              >
                {axisText(bar.at, granularity, timeZone)}
              </span>
            ) : null}
          </span>
        ))}
      </div>
      {bars.some(({ cut, sent }) => cut && sent > 0) ? (
        <p className="mt-1 ml-11 text-right text-xs text-muted">
          A paler bar is part of {granularity === "hour" ? "an hour" : "a day"}.
        </p>
      ) : null}
      <ValueTable bars={bars} granularity={granularity} timeZone={timeZone} />
    </div>
  )
}

function sentence(bar: Bar, granularity: string, timeZone: string, earlier: number | undefined): string {
  const parts = series.flatMap(({ name, label }) =>
    bar.parts[name] > 0 ? [`${bar.parts[name]} ${label.toLowerCase()}`] : [],
  )
  const before = earlier === undefined ? "" : `; ${earlier} sent a week before`
  return `${barText(bar, granularity, timeZone)}: ${bar.sent} sent${parts.length ? `, ${parts.join(", ")}` : ""}${before}`
}

function percent(value: number, top: number): string {
  return `${(value / top) * 100}%`
}

/** The values of the bars, for screen readers. */
function ValueTable({ bars, granularity, timeZone }: { bars: Bar[]; granularity: string; timeZone: string }) {
  return (
    <div className="sr-only">
      <table>
        <caption>
          Emails by {granularity}, in {timeZone}
        </caption>
        <thead>
          <tr>
            <th scope="col">{granularity === "hour" ? "Hour" : "Day"}</th>
            <th scope="col">Sent</th>
            {series.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.at}>
              <th scope="row">{barText(bar, granularity, timeZone)}</th>
              <td>{bar.sent}</td>
              {series.map(({ name }) => (
                <td key={name}>{bar.parts[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
