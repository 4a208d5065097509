"use client"

import { Pause, Play, Radio } from "lucide-react"
import dynamic from "next/dynamic"
import { parseAsString, useQueryStates } from "nuqs"
import { useCallback, useMemo } from "react"
import { FilterInput, type Step } from "@/components/emails/filter-input"
import { Button } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { Select } from "@/components/ui/select"
import { SkeletonRows } from "@/components/ui/skeleton"
import { ConnectionWords } from "@/components/stream/connection-words"
import { eventsMax, filtered, type EventLog } from "@/components/stream/event-log"
import { RateStrip } from "@/components/stream/rate-strip"
import { eventTypes } from "@/components/stream/stream-event"
import { useStream } from "@/components/stream/use-stream"

const EventRows = dynamic(() => import("@/components/stream/event-rows").then((module) => module.EventRows), {
  ssr: false,
  loading: () => <SkeletonRows rows={10} />,
})

const typeOptions = [
  { value: "", label: "All events" },
  ...Object.entries(eventTypes).map(([value, { word }]) => ({ value, label: word })),
]
const filterParsers = { type: parseAsString.withDefault(""), to: parseAsString.withDefault("") }

/** The project's events as they happen, from the same stream that API clients read. */
export function LiveStream({ projectId, curl }: { projectId: string; curl: string }) {
  const [{ type, to }, setFilters] = useQueryStates(filterParsers)
  const setTo = useCallback(
    (address: string, history: Step) => void setFilters({ to: address }, { history }),
    [setFilters],
  )
  const { connection, log, meter, dispatch, again } = useStream(projectId)
  const events = useMemo(() => filtered(log.shown, type, to), [log.shown, type, to])

  return (
    <>
      <div role="search" aria-label="Events" className="mb-4 grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
        <Select
          aria-label="Type"
          value={type}
          options={typeOptions}
          onChange={(event) => void setFilters({ type: event.target.value }, { history: "push" })}
          className="sm:w-40"
        />
        <FilterInput label="Address" value={to} onChange={setTo} />
        <span className="hidden flex-1 sm:block" />
        <ConnectionWords connection={connection} />
        <PauseButton log={log} onToggle={() => dispatch({ do: log.paused ? "resume" : "pause" })} />
      </div>
      <Card aria-label="Events">
        <RateStrip meter={meter} received={log.total} />
        {connection.state === "refused" ? (
          <ErrorState
            title="The stream cannot be opened"
            message={connection.reason}
            requestId={connection.requestId}
            onRetry={again}
          />
        ) : events.length > 0 ? (
          <EventRows projectId={projectId} events={events} />
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

function PauseButton({ log, onToggle }: { log: EventLog; onToggle: () => void }) {
  return (
    <Button onClick={onToggle} icon={log.paused ? <Play /> : <Pause />} className="tabular-nums">
      {!log.paused ? "Pause" : log.missed > 0 ? `Resume, ${words(log.missed)} waiting` : "Resume"}
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
        : "Events such as sent, delivered and bounced appear here as they happen. Your code can read the same stream:"}
    </EmptyState>
  )
}

function shownWords(shown: number, { shown: { length: kept }, total }: EventLog): string {
  const of = shown === kept ? "" : ` of ${words(kept)}`
  const rest = total > kept && kept === eventsMax ? `, the newest ${words(eventsMax)} are kept` : ""
  return `${words(shown)}${of} ${kept === 1 ? "event" : "events"} shown${rest}`
}

function words(count: number): string {
  return count.toLocaleString("en")
}
