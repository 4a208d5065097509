"use client"

import { useVirtualizer } from "@tanstack/react-virtual"
import { useLayoutEffect, useRef, useSyncExternalStore } from "react"
import { ConnectedLine, EventRow } from "@/components/stream/event-row"
import type { StreamEvent } from "@/components/stream/stream-event"

/** Row height: one line, and two on a phone, as the classes of a row have it. */
const rowPixels = { wide: 41, narrow: 65 }

type EventRowsProps = {
  projectId: string
  /** Oldest first; shown newest first. */
  events: readonly StreamEvent[]
  /** How many of them, the oldest, are from before the page was connected. */
  before: number
}

/** Thousands of rows, of which only the visible ones are rendered. The scroll position and the focused row stay in place. */
export function EventRows({ projectId, events, before }: EventRowsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const height = useNarrow() ? rowPixels.narrow : rowPixels.wide
  // Between the two parts is a line of its own.
  const line = before > 0 ? events.length - before : -1
  const at = (index: number) =>
    index === line ? undefined : events[events.length - 1 - (line >= 0 && index > line ? index - 1 : index)]
  const rows = useVirtualizer({
    count: events.length + (line >= 0 ? 1 : 0),
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    getItemKey: (index) => (index === line ? "line" : (at(index)?.id ?? index)),
    overscan: 12,
  })
  useLayoutEffect(() => rows.measure(), [rows, height])
  const newest = useRef<string>(undefined)
  useLayoutEffect(() => {
    const known = newest.current
    newest.current = events.at(-1)?.id
    if (frame.current && known !== undefined && isReading(frame.current))
      frame.current.scrollBy(0, grown(events, known) * height)
  }, [events, height])

  return (
    <div
      ref={frame}
      tabIndex={0}
      role="region"
      aria-label="Events, newest first"
      className="h-[min(640px,70dvh)] overflow-y-auto -outline-offset-2"
    >
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const event = at(index)
          return event || index === line ? (
            <li key={key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
              {event ? (
                <EventRow event={event} href={`/projects/${projectId}/emails/${event.emailId}`} />
              ) : (
                <ConnectedLine before={before} />
              )}
            </li>
          ) : null
        })}
      </ul>
    </div>
  )
}

/** New rows must not move what somebody is reading or about to select. */
function isReading(frame: HTMLElement): boolean {
  return frame.scrollTop > 0 || (frame !== document.activeElement && frame.contains(document.activeElement))
}

/** How many rows were added at the top since `known` was the newest. */
function grown(events: readonly StreamEvent[], known: string): number {
  const at = events.findLastIndex(({ id }) => id === known)
  return at < 0 ? 0 : events.length - 1 - at
}

function useNarrow(): boolean {
  return useSyncExternalStore(
    subscribeToWidth,
    () => !wide().matches,
    () => false,
  )
}

/** Tailwind's `sm`. */
function wide(): MediaQueryList {
  return window.matchMedia("(min-width: 40rem)")
}

function subscribeToWidth(listener: () => void): () => void {
  const query = wide()
  query.addEventListener("change", listener)
  return () => query.removeEventListener("change", listener)
}
