import type { StreamEvent } from "@/components/stream/stream-event"

/** The most events that the page holds; the oldest are dropped first. */
export const eventsMax = 10_000

export type EventLog = {
  /** Oldest first, at most `eventsMax`. */
  shown: readonly StreamEvent[]
  /** Arrived while paused; at most `eventsMax`. */
  waiting: readonly StreamEvent[]
  /** How many have arrived while paused, dropped ones included. */
  missed: number
  paused: boolean
  /** How many have arrived since the page was opened. */
  total: number
}

export const emptyLog: EventLog = { shown: [], waiting: [], missed: 0, paused: false, total: 0 }

type LogAction =
  { do: "receive"; events: readonly StreamEvent[] } | { do: "pause" } | { do: "resume" } | { do: "clear" }

export function reduceLog(log: EventLog, action: LogAction): EventLog {
  switch (action.do) {
    case "receive":
      return received(log, action.events)
    case "pause":
      return { ...log, paused: true }
    case "resume":
      return { ...log, paused: false, shown: bounded(log.shown, log.waiting), waiting: [], missed: 0 }
    case "clear":
      return { ...log, shown: [], waiting: [], missed: 0 }
  }
}

/** Only those that match `type` and `address` (a part of it, in any case). */
export function filtered(events: readonly StreamEvent[], type: string, address: string): readonly StreamEvent[] {
  const part = address.trim().toLowerCase()
  if (!type && !part) return events
  return events.filter(
    (event) => (!type || event.type === type) && (!part || (event.data.to ?? "").toLowerCase().includes(part)),
  )
}

function received(log: EventLog, events: readonly StreamEvent[]): EventLog {
  const total = log.total + events.length
  if (log.paused) return { ...log, total, waiting: bounded(log.waiting, events), missed: log.missed + events.length }
  return { ...log, total, shown: bounded(log.shown, events) }
}

function bounded(kept: readonly StreamEvent[], added: readonly StreamEvent[]): readonly StreamEvent[] {
  if (added.length === 0) return kept
  const over = kept.length + added.length - eventsMax
  return over > 0 ? [...kept, ...added].slice(over) : [...kept, ...added]
}
