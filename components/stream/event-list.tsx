"use client"

import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react"
import { ConnectedLine, LiveEventRow } from "@/components/stream/event-row"
import type { ManyRows as ManyRowsOf } from "@/components/stream/many-rows"
import type { StreamEvent } from "@/components/stream/events"

/** So many rows are drawn as they are; what draws more of them is loaded before there are as many. */
const fewMax = 100

type EventListProps = {
  projectId: string
  /** Oldest first; shown newest first. */
  events: readonly StreamEvent[]
  /** How many of them, the oldest, are from before the page was connected. */
  before: number
}

/** The list of events. The rows in view stay in place while rows are added above them, and the focused row keeps its focus. */
export function EventList({ projectId, events, before }: EventListProps) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  const [ManyRows, setManyRows] = useState<typeof ManyRowsOf>()
  // As state: a lazy component would show something else for a moment, which has another height.
  const soonLong = events.length > fewMax / 2
  useEffect(() => {
    if (!soonLong) return
    import("@/components/stream/many-rows").then(
      (module) => setManyRows(() => module.ManyRows),
      (error: unknown) =>
        setManyRows(() => {
          throw error
        }),
    )
  }, [soonLong])
  const height = useRowHeight()
  useReadingPlace(frame, events, height)
  const focus = useKeptFocus(frame)

  const older = Math.max(0, events.length - fewMax)
  return (
    <div
      ref={setFrame}
      tabIndex={0}
      role="region"
      aria-label="Events, newest first"
      className="h-[max(20rem,calc(100dvh-26.5rem))] overflow-y-auto -outline-offset-2 [overflow-anchor:none]"
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
    >
      {ManyRows && older > 0 ? (
        <ManyRows
          projectId={projectId}
          events={events}
          before={before}
          frame={frame}
          height={height}
          onDraw={focus.onDraw}
        />
      ) : (
        <FewRows projectId={projectId} events={events.slice(older)} before={Math.max(0, before - older)} />
      )}
    </div>
  )
}

/** Rows added at the top push down the rest, except while the reader has scrolled or is about to select a row. */
function useReadingPlace(frame: HTMLElement | null, events: readonly StreamEvent[], height: number) {
  const newest = useRef<string>(undefined)
  useLayoutEffect(() => {
    const known = newest.current
    newest.current = events.at(-1)?.id
    if (frame && known !== undefined && isReading(frame)) frame.scrollBy(0, added(events, known) * height)
  }, [events, frame, height])
}

function isReading(frame: HTMLElement): boolean {
  return frame.scrollTop > 0 || (frame !== document.activeElement && frame.contains(document.activeElement))
}

/** How many rows were added at the top since `known` was the newest. */
function added(events: readonly StreamEvent[], known: string): number {
  const at = events.findLastIndex(({ id }) => id === known)
  return at < 0 ? 0 : events.length - 1 - at
}

/** Keeps the focus of a row that becomes a new element when the list gets long. */
function useKeptFocus(frame: HTMLElement | null) {
  const id = useRef<string>(undefined)
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => void (id.current = target.dataset.row),
    onBlur: () => void (id.current = undefined),
    onDraw: () => {
      const isLost = id.current !== undefined && document.activeElement === document.body
      if (isLost) frame?.querySelector<HTMLElement>(`[data-row="${id.current}"]`)?.focus({ preventScroll: true })
    },
  }
}

type FewRowsProps = {
  projectId: string
  /** Oldest first; shown newest first. */
  events: readonly StreamEvent[]
  /** How many of them, the oldest, are from before the page was connected. */
  before: number
}

/** The list while it is short, which it is whenever the page opens. */
function FewRows({ projectId, events, before }: FewRowsProps) {
  const newest = [...events].reverse()
  const live = newest.length - before
  const row = (event: StreamEvent) => (
    <li key={event.id}>
      <LiveEventRow event={event} href={`/projects/${projectId}/emails/${event.emailId}`} />
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

/** Row height in pixels: one line, and two on a phone, as the classes of a row have it. */
function useRowHeight(): number {
  return useSyncExternalStore(
    subscribeToWidth,
    () => (wide().matches ? 41 : 65),
    () => 41,
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
