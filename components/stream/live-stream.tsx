"use client"

import { Pause, Play, Radio } from "lucide-react"
import { parseAsString, useQueryStates } from "nuqs"
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react"
import { FilterInput, type FilterStep } from "@/components/data/filter-input"
import { useCountsOf } from "@/components/data/use-call"
import { BarReader } from "@/components/stream/bar-reader"
import { ConnectionWords, useStream } from "@/components/stream/stream-connection"
import { EventList } from "@/components/stream/event-list"
import { type EventLog, eventsMax, filtered, eventTypes, type StreamEvent } from "@/components/stream/events"
import {
  byType,
  clockOf,
  type EventRate,
  type RateMeter,
  scaleOf,
  totalOf,
  type TypeCounts,
  barFill,
  StackedBars,
} from "@/components/stream/rate"
import { Button } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { FilterChip, FilterChips, toggled } from "@/components/ui/filter-chip"
import { useTimeZone } from "@/components/ui/local-time"
import { formatNumber } from "@/lib/platform/format"

const filterParsers = { type: parseAsString.withDefault(""), to: parseAsString.withDefault("") }

/** The project's events as they happen, from the same stream that API clients read. */
export function LiveStream({ projectId, curl }: { projectId: string; curl: string }) {
  const [{ type, to }, setFilters] = useQueryStates(filterParsers)
  const setTo = useCallback(
    (address: string, history: FilterStep) => void setFilters({ to: address }, { history }),
    [setFilters],
  )
  const { connection, log, meter, dispatch, again } = useStream(projectId, { recall: true })
  useCountsOf(log.total)
  const types = useMemo(() => type.split(",").filter((one) => one in eventTypes), [type])
  const events = useMemo(() => filtered(log.shown, types, to), [log.shown, types, to])
  const before = useMemo(
    () => filtered(log.shown.slice(0, log.before), types, to).length,
    [log.shown, log.before, types, to],
  )
  const { seconds, until } = useRate(meter)
  useRateTitle(seconds, log)
  const shownSeconds = useMemo(() => seconds.map((second) => only(second, types)), [seconds, types])

  const list = useRef<HTMLDivElement>(null)
  function showSecond(second: number) {
    const frame = list.current?.querySelector("[role=region]")
    const row = frame?.querySelector<HTMLElement>("[data-row]")
    if (!frame || !row) return
    frame.scrollIntoView({ block: "nearest" })
    frame.scrollTop = rowOfSecond(events, before, second) * row.offsetHeight
  }

  return (
    <>
      <Card aria-label="Events">
        <RateStrip rate={{ seconds: shownSeconds, until }} received={log.total} onPick={showSecond}>
          <ConnectionWords connection={connection} paused={log.paused} />
          <PauseButton log={log} onToggle={() => dispatch({ do: log.paused ? "resume" : "pause" })} />
        </RateStrip>
        <div
          role="search"
          aria-label="Events"
          // One height, however long the counts become: what somebody reads below must not move.
          className="grid gap-2 border-b border-line px-4 py-2.5 xl:grid-cols-[minmax(0,1fr)_auto] xl:items-center xl:gap-4"
        >
          <TypeChips
            counts={byType(seconds)}
            chosen={types}
            onChoose={(next) => void setFilters({ type: next.join(",") || null }, { history: "push" })}
          />
          <FilterInput label="Address or subject" value={to} onChange={setTo} className="xl:w-52" />
        </div>
        {connection.state === "refused" ? (
          <ErrorState
            title="The stream cannot be opened"
            message={connection.reason}
            requestId={connection.requestId}
            onRetry={again}
          />
        ) : events.length > 0 ? (
          <div ref={list}>
            <EventList projectId={projectId} events={events} before={before} />
          </div>
        ) : (
          <Nothing log={log} curl={curl} onClear={() => void setFilters(null, { history: "push" })} />
        )}
        <CardFooter className="text-muted">
          <span className="tabular-nums">{shownWords(events.length, log)}</span>
          <Button
            variant="ghost"
            size="small"
            disabled={log.shown.length === 0}
            onClick={() => dispatch({ do: "clear" })}
          >
            Clear
          </Button>
        </CardFooter>
      </Card>
    </>
  )
}

function only(second: TypeCounts, types: readonly string[]): TypeCounts {
  if (types.length === 0) return second
  return Object.fromEntries(Object.entries(second).filter(([type]) => types.includes(type)))
}

function PauseButton({ log, onToggle }: { log: EventLog; onToggle: () => void }) {
  return (
    <Button
      variant={log.paused ? "primary" : "default"}
      onClick={onToggle}
      icon={log.paused ? <Play /> : <Pause />}
      className="tabular-nums"
    >
      {!log.paused ? "Pause" : log.missed > 0 ? `Resume, ${formatNumber(log.missed)} waiting` : "Resume"}
    </Button>
  )
}

function Nothing({ log, curl, onClear }: { log: EventLog; curl: string; onClear: () => void }) {
  if (log.shown.length > 0) {
    return (
      <EmptyState title="No matching events" action={<Button onClick={onClear}>Clear filters</Button>}>
        Events that match appear here as they happen.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<Radio />} title={log.paused ? "Paused" : "Waiting for events"} curl={curl}>
      {log.paused
        ? "New events are held back and shown when you resume."
        : "Events such as sent, delivered and bounced appear here as they happen. Your programs can read the same stream:"}
    </EmptyState>
  )
}

function shownWords(shown: number, { shown: { length: kept }, total }: EventLog): string {
  const of = shown === kept ? "" : ` of ${formatNumber(kept)}`
  const rest = total > kept && kept === eventsMax ? `, the newest ${formatNumber(eventsMax)} are kept` : ""
  return `${formatNumber(shown)}${of} ${kept === 1 ? "event" : "events"} shown${rest}`
}

type TypeChipsProps = {
  /** Events of each type in the bars. */
  counts: Record<string, number>
  chosen: readonly string[]
  onChoose: (types: string[]) => void
}

/** The legend of the bars, and the filter of bars and rows; several types can be chosen. */
function TypeChips({ counts, chosen, onChoose }: TypeChipsProps) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <FilterChips label="Type" className="sm:flex-nowrap">
      <FilterChip pressed={chosen.length === 0} count={formatNumber(total)} onClick={() => onChoose([])}>
        All
      </FilterChip>
      {Object.entries(eventTypes).map(([type, { word }]) => (
        <FilterChip
          key={type}
          fill={barFill[type]}
          pressed={chosen.includes(type)}
          count={formatNumber(counts[type] ?? 0)}
          onClick={() => onChoose(toggled(chosen, type))}
        >
          {word}
        </FilterChip>
      ))}
    </FilterChips>
  )
}

/** The last 120 seconds, read anew every second. */
function useRate(meter: RateMeter): EventRate {
  const [rate, setRate] = useState(() => meter.read(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => setRate(meter.read(Date.now())), 1_000)
    return () => clearInterval(timer)
  }, [meter])
  return rate
}

/** While the page is in the background its title is the rate; while it is paused, the number that waits. */
function useRateTitle(seconds: readonly TypeCounts[], { paused, missed }: { paused: boolean; missed: number }) {
  const rate = totalOf(seconds.at(-1) ?? {})
  const words = paused ? (missed > 0 ? `(${formatNumber(missed)}) Live` : null) : `${rate}/s · Live`
  useEffect(() => {
    if (words === null) return
    let before = ""
    const restore = () => {
      if (before && document.title === words) document.title = before
      before = ""
    }
    const show = () => {
      if (!paused && !document.hidden) return restore()
      // While another page takes over there is no title: one that is set now would stay in front of that page's own.
      if (!document.title || document.title === words) return
      before = document.title
      document.title = words
    }
    show()
    document.addEventListener("visibilitychange", show)
    return () => {
      document.removeEventListener("visibilitychange", show)
      restore()
    }
  }, [words, paused])
}

/**
 * The row of the newest event that is no later than this second since 1970. The events come oldest first, the rows newest
 * first, with a line in front of the `before` oldest.
 */
export function rowOfSecond(events: readonly Pick<StreamEvent, "occurredAt">[], before: number, second: number) {
  const until = (second + 1) * 1_000
  const at = Math.max(
    0,
    events.findLastIndex(({ occurredAt }) => Date.parse(occurredAt) < until),
  )
  const row = events.length - 1 - at
  return before > 0 && at < before ? row + 1 : row
}

type RateStripProps = {
  rate: EventRate
  received: number
  onPick?: (second: number) => void
  /** The state of the stream and its switch, beside the figures. */
  children?: ReactNode
}

/** Events per second over the last two minutes, and how many have arrived since the page was opened. */
function RateStrip({ rate, received, onPick, children }: RateStripProps) {
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
  const timeZone = useTimeZone()
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
      <BarReader
        bars={seconds}
        until={until}
        unit="Second"
        timeOf={(second) => clockOf(second, timeZone)}
        onPick={onPick}
      />
    </div>
  )
}
