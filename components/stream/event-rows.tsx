"use client"

import { useVirtualizer } from "@tanstack/react-virtual"
import Link from "next/link"
import { memo, useLayoutEffect, useRef, useSyncExternalStore } from "react"
import { ClockTime } from "@/components/emails/clock-time"
import { Pill } from "@/components/ui/pill"
import { eventDetail, eventWords, type StreamEvent } from "@/components/stream/stream-event"

/** Row height: one line, and two on a phone, as the classes of a row have it. */
const rowPixels = { wide: 41, narrow: 65 }

type EventRowsProps = {
  projectId: string
  /** Oldest first; shown newest first. */
  events: readonly StreamEvent[]
}

/** Thousands of rows, of which only the visible ones are rendered. The scroll position and the focused row stay in place. */
export function EventRows({ projectId, events }: EventRowsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const height = useNarrow() ? rowPixels.narrow : rowPixels.wide
  const at = (index: number) => events[events.length - 1 - index]
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    getItemKey: (index) => at(index)?.id ?? index,
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
          return event ? (
            <li key={key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
              <EventRow event={event} href={`/projects/${projectId}/emails/${event.emailId}`} />
            </li>
          ) : null
        })}
      </ul>
    </div>
  )
}

const EventRow = memo(function EventRow({ event, href }: { event: StreamEvent; href: string }) {
  const { word, tone } = eventWords(event.type)
  return (
    <Link
      data-row
      href={href}
      prefetch={false}
      className="flex h-[65px] flex-col justify-center gap-1 border-b border-line px-4 -outline-offset-2 hover:bg-sunken focus-visible:bg-sunken
        sm:grid sm:h-[41px] sm:grid-cols-[104px_120px_minmax(0,2fr)_minmax(0,3fr)] sm:items-center sm:gap-4"
    >
      <span className="flex flex-row-reverse items-center justify-between gap-3 sm:contents">
        <span className="text-faint">
          <ClockTime at={event.occurredAt} />
        </span>
        <span className="min-w-0">
          <Pill tone={tone}>{word}</Pill>
        </span>
      </span>
      <span className="flex min-w-0 gap-2 sm:contents">
        <span className="max-w-3/5 shrink-0 truncate font-medium sm:max-w-none">{event.data.to}</span>
        <span className="min-w-0 truncate text-muted">{eventDetail(event)}</span>
      </span>
    </Link>
  )
})

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
