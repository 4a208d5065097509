"use client"

import { useVirtualizer } from "@tanstack/react-virtual"
import Link from "next/link"
import { useLayoutEffect, useRef } from "react"
import { ClockTime } from "@/components/emails/clock-time"
import { Pill } from "@/components/ui/pill"
import { eventDetail, eventWords, type StreamEvent } from "./stream-event"

const rowPixels = 41

type EventRowsProps = {
  projectId: string
  /** Oldest first; shown newest first. */
  events: readonly StreamEvent[]
}

/** Thousands of lines of which only those in sight exist. Who has scrolled down stays where they read. */
export function EventRows({ projectId, events }: EventRowsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const at = (index: number) => events[events.length - 1 - index]
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPixels,
    getItemKey: (index) => at(index)?.id ?? index,
    overscan: 12,
  })
  const newest = useRef<string>(undefined)
  useLayoutEffect(() => {
    const known = newest.current
    newest.current = events.at(-1)?.id
    if (frame.current && known !== undefined && frame.current.scrollTop > 0) frame.current.scrollBy(0, grownPixels(events, known))
  }, [events])

  return (
    <div ref={frame} tabIndex={0} role="region" aria-label="Events, newest first" className="h-[min(640px,70dvh)] overflow-y-auto -outline-offset-2">
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

function EventRow({ event, href }: { event: StreamEvent; href: string }) {
  const { word, tone } = eventWords(event.type)
  return (
    <Link
      data-row
      href={href}
      prefetch={false}
      className="grid h-[41px] grid-cols-[112px_1fr] items-center gap-x-4 border-b border-line px-4 -outline-offset-2 hover:bg-sunken
        focus-visible:bg-sunken sm:grid-cols-[104px_112px_minmax(0,2fr)_minmax(0,3fr)]"
    >
      <span className="hidden text-faint sm:block"><ClockTime at={event.occurredAt} /></span>
      <span><Pill tone={tone}>{word}</Pill></span>
      <span className="truncate font-medium">{event.data.to}</span>
      <span className="hidden truncate text-muted sm:block">{eventDetail(event)}</span>
    </Link>
  )
}

/** How far the list has grown at its top since `known` was the newest: by so much must who reads further down be moved. */
function grownPixels(events: readonly StreamEvent[], known: string): number {
  const at = events.findLastIndex(({ id }) => id === known)
  return at < 0 ? 0 : (events.length - 1 - at) * rowPixels
}
