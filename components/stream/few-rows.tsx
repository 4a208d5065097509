"use client"

import { ConnectedLine, EventRow } from "@/components/stream/event-row"
import type { StreamEvent } from "@/components/stream/stream-event"

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
    <ul>
      {newest.slice(0, live).map(row)}
      {before > 0 ? (
        <li>
          <ConnectedLine before={before} />
        </li>
      ) : null}
      {newest.slice(live).map(row)}
    </ul>
  )
}
