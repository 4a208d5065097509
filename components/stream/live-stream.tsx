"use client"

import { Pause, Play, Radio } from "lucide-react"
import { parseAsString, useQueryStates } from "nuqs"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { FilterInput, type FilterStep } from "@/components/data/filter-input"
import { ConnectionWords } from "@/components/stream/connection-words"
import { EventList } from "@/components/stream/event-list"
import { type EventLog, eventsMax, filtered } from "@/components/stream/event-log"
import { byType, type EventRate, type RateMeter, totalOf, type TypeCounts } from "@/components/stream/rate"
import { RateStrip } from "@/components/stream/rate-strip"
import { barFill } from "@/components/stream/stacked-bars"
import { eventTypes, type StreamEvent } from "@/components/stream/stream-event"
import { useStream } from "@/components/stream/use-stream"
import { Button } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { FilterChip, FilterChips, toggled } from "@/components/ui/filter-chip"
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
