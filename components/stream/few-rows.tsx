"use client"

import { ConnectedLine, EventRow } from "@/components/stream/event-row"
import type { StreamEvent } from "@/components/stream/stream-event"

/** So many rows are drawn as they are; what draws more of them is loaded when they are there. */
export const fewMax = 100

type FewRowsProps = {
  projectId: string
  /** Oldest first; shown newest first. */
  events: readonly StreamEvent[]
  /** How many of them, the oldest, are from before the page was connected. */
  before: number
}

/** The list while it is short, which it is whenever the page opens. */
export function FewRows({ projectId, events, before }: FewRowsProps) {
  const newest = [...events].reverse()
  const live = newest.length - before
  const row = (event: StreamEvent) => (
    <li key={event.id}>
      <EventRow event={event} href={`/projects/${projectId}/emails/${event.emailId}`} />
    </li>
  )
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Events, newest first"
      className="h-[min(640px,70dvh)] overflow-y-auto -outline-offset-2"
    >
      <ul>
        {newest.slice(0, live).map(row)}
        {before > 0 ? (
          <li>
            <ConnectedLine before={before} />
          </li>
        ) : null}
        {newest.slice(live).map(row)}
      </ul>
    </div>
  )
}
