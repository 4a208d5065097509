import type { CallAnswer } from "@/components/data/route"
import type { TypeCounts } from "@/components/stream/rate"
import type { StreamEvent } from "@/components/stream/stream-event"
import { periodMs, periodsOfHour } from "@/lib/stream/rules"

export type EventCounts = CallAnswer<"GET /v1/projects/{projectId}/events/counts">

/** Events of the last hour by two minutes. */
export type Hour = {
  /** Oldest first; fewer than 30 if the events of a busy project are counted from later on. */
  bars: readonly TypeCounts[]
  /** The period after the last of them, counted since 1970. */
  until: number
  /** The time from which they are counted; null if it is an hour ago. */
  since: string | null
}

/** The period after that of now: `passedMs` have passed since the answer came, so the reader's own clock does not matter. */
export function periodAfter({ until }: EventCounts, passedMs: number): number {
  return Math.floor((Date.parse(until) + Math.max(0, passedMs)) / periodMs) + 1
}

/** What was counted, and what the stream has carried since. */
export function hourOf(counted: EventCounts, events: readonly StreamEvent[], until: number): Hour {
  const since = Date.parse(counted.since)
  const first = Math.max(until - periodsOfHour, Math.floor(since / periodMs))
  const bars = Array.from({ length: until - first }, (): Record<string, number> => ({}))
  const add = (at: string, type: string, count: number) => {
    const bar = bars[Math.floor(Date.parse(at) / periodMs) - first]
    if (bar) bar[type] = (bar[type] ?? 0) + count
  }
  for (const { at, type, count } of counted.data) add(at, type, count)
  for (const { occurredAt, type } of eventsAfter(events, counted.last)) add(occurredAt, type, 1)
  return { bars, until, since: since > (until - periodsOfHour) * periodMs ? counted.since : null }
}

/** The events that follow this one in the public order or, if it is not among them, those whose ids are later. */
function eventsAfter(events: readonly StreamEvent[], last = ""): readonly StreamEvent[] {
  const at = events.findLastIndex(({ id }) => id === last)
  return at < 0 ? events.filter(({ id }) => id > last) : events.slice(at + 1)
}
