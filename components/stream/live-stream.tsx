"use client"

import { Pause, Play, Radio } from "lucide-react"
import dynamic from "next/dynamic"
import { parseAsString, useQueryStates } from "nuqs"
import { useCallback, useEffect, useReducer, useState } from "react"
import { FilterInput } from "@/components/emails/filter-input"
import { Button } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { Select } from "@/components/ui/select"
import { SkeletonRows } from "@/components/ui/skeleton"
import type { Connection } from "./connection"
import { ConnectionWords } from "./connection-words"
import { emptyLog, eventsMax, filtered, reduceLog, type EventLog } from "./event-log"
import { openStream } from "./open-stream"
import { eventTypes, type StreamEvent } from "./stream-event"

const EventRows = dynamic(() => import("./event-rows").then((module) => module.EventRows), {
  ssr: false,
  loading: () => <SkeletonRows rows={10} />,
})

const typeOptions = [
  { value: "", label: "All events" },
  ...Object.entries(eventTypes).map(([value, { word }]) => ({ value, label: word })),
]
const filterParsers = { type: parseAsString.withDefault(""), to: parseAsString.withDefault("") }

/** The project's events as they happen, over the same stream that its own programs can read. */
export function LiveStream({ projectId, curl }: { projectId: string; curl: string }) {
  const [{ type, to }, setFilters] = useQueryStates(filterParsers)
  const setTo = useCallback((address: string) => void setFilters({ to: address }), [setFilters])
  const { connection, log, dispatch, again } = useStream(projectId)
  const events = filtered(log.shown, type, to)

  return (
    <>
      <div role="search" aria-label="Events" className="mb-4 flex flex-wrap items-center gap-2">
        <Select
          aria-label="Type"
          value={type}
          options={typeOptions}
          onChange={(event) => void setFilters({ type: event.target.value })}
          className="sm:w-40"
        />
        <FilterInput label="Address" value={to} onChange={setTo} />
        <span className="flex-1" />
        <ConnectionWords connection={connection} />
        <PauseButton log={log} onToggle={() => dispatch({ do: log.paused ? "resume" : "pause" })} />
      </div>
      <Card>
        {connection.state === "refused" ? (
          <ErrorState title="The stream cannot be opened" message={connection.reason} requestId={connection.requestId} onRetry={again} />
        ) : events.length > 0 ? (
          <EventRows projectId={projectId} events={events} />
        ) : (
          <Nothing filters={Boolean(type || to)} any={log.shown.length > 0} curl={curl} onClear={() => void setFilters(null)} />
        )}
        <CardFooter className="text-muted">
          <span className="tabular-nums">
            {events.length.toLocaleString("en")} {events.length === 1 ? "event" : "events"}
            {events.length === log.shown.length ? "" : ` of ${log.shown.length.toLocaleString("en")}`}
            {log.total > eventsMax ? `, the newest ${eventsMax.toLocaleString("en")} are kept` : ""}
          </span>
          <Button variant="ghost" size="small" disabled={log.shown.length === 0} onClick={() => dispatch({ do: "clear" })}>Clear</Button>
        </CardFooter>
      </Card>
    </>
  )
}

function useStream(projectId: string) {
  const [connection, setConnection] = useState<Connection>({ state: "connecting" })
  const [log, dispatch] = useReducer(reduceLog, emptyLog)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const onEvents = (events: StreamEvent[]) => dispatch({ do: "receive", events })
    return openStream(projectId, { onEvents, onConnection: setConnection })
  }, [projectId, round])
  return { connection, log, dispatch, again: () => setRound((count) => count + 1) }
}

function PauseButton({ log, onToggle }: { log: EventLog; onToggle: () => void }) {
  const waiting = log.waiting.length
  return (
    <Button onClick={onToggle} icon={log.paused ? <Play /> : <Pause />} className="tabular-nums">
      {!log.paused ? "Pause" : waiting > 0 ? `Resume, ${waiting.toLocaleString("en")} waiting` : "Resume"}
    </Button>
  )
}

function Nothing({ filters, any, curl, onClear }: { filters: boolean; any: boolean; curl: string; onClear: () => void }) {
  if (filters && any) {
    return (
      <EmptyState title="No event matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        Events that match appear here as they happen.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<Radio />} title="Waiting for events" curl={curl}>
      Sent, delivered, bounced and the like appear here the moment they happen. Your programs can read the same stream:
    </EmptyState>
  )
}
