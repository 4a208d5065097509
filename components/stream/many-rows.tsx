"use client"

import { useVirtualizer } from "@tanstack/react-virtual"
import { useLayoutEffect } from "react"
import { ConnectedLine, LiveEventRow } from "@/components/stream/event-row"
import type { StreamEvent } from "@/components/stream/events"

type ManyRowsProps = {
  projectId: string
  /** Oldest first; shown newest first. */
  events: readonly StreamEvent[]
  /** How many of them, the oldest, are from before the page was connected. */
  before: number
  /** What scrolls. */
  frame: HTMLElement | null
  /** Of a row, in pixels. */
  height: number
  /** Rows were added to the document. */
  onDraw: () => void
}

/** Thousands of rows, of which only the visible ones are rendered. */
export function ManyRows({ projectId, events, before, frame, height, onDraw }: ManyRowsProps) {
  // Between the two parts is a line of its own.
  const line = before > 0 ? events.length - before : -1
  const at = (index: number) =>
    index === line ? undefined : events[events.length - 1 - (line >= 0 && index > line ? index - 1 : index)]
  const rows = useVirtualizer({
    count: events.length + (line >= 0 ? 1 : 0),
    getScrollElement: () => frame,
    initialOffset: () => frame?.scrollTop ?? 0,
    estimateSize: () => height,
    getItemKey: (index) => (index === line ? "line" : (at(index)?.id ?? index)),
    overscan: 12,
  })
  useLayoutEffect(() => rows.measure(), [rows, height])
  useLayoutEffect(() => onDraw())

  return (
    <ul className="relative" style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const event = at(index)
        return event || index === line ? (
          <li key={key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
            {event ? (
              <LiveEventRow event={event} href={`/projects/${projectId}/emails/${event.emailId}`} />
            ) : (
              <ConnectedLine before={before} />
            )}
          </li>
        ) : null
      })}
    </ul>
  )
}
