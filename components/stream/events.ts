import type { Tone } from "@/components/ui/pill"

/** One event of the stream. */
export type StreamEvent = {
  id: string
  type: string
  emailId: string
  occurredAt: string
  data: Record<string, string>
}

type EventWords = { word: string; tone: Tone; means: string }

/** The seven event types of the stream. */
export const eventTypes: Record<string, EventWords> = {
  sent: { word: "Sent", tone: "wait", means: "A mail server accepted it for delivery." },
  delivered: { word: "Delivered", tone: "good", means: "The recipient's mail server accepted it." },
  bounced: { word: "Bounced", tone: "bad", means: "The receiving server rejected it permanently." },
  complained: { word: "Complained", tone: "bad", means: "The recipient marked it as spam." },
  opened: { word: "Opened", tone: "good", means: "It was opened." },
  clicked: { word: "Clicked", tone: "good", means: "A link in it was clicked." },
  unsubscribed: { word: "Unsubscribed", tone: "wait", means: "The recipient unsubscribed." },
}

export function eventWords(type: string): EventWords {
  return eventTypes[type] ?? { word: type, tone: "wait", means: "An unknown event type." }
}

/** Parses one `data:` line; null for what is not an event, so that one invalid line never ends the stream. */
export function parseEvent(line: string): StreamEvent | null {
  try {
    const read: unknown = JSON.parse(line)
    return isEvent(read) ? read : null
  } catch {
    return null
  }
}

function isEvent(read: unknown): read is StreamEvent {
  if (typeof read !== "object" || read === null) return false
  const { id, type, emailId, occurredAt, data } = read as Record<string, unknown>
  return (
    [id, type, emailId, occurredAt].every((field) => typeof field === "string") &&
    typeof data === "object" &&
    data !== null
  )
}

/** The end of a row: what there is to say beyond type, recipient and subject. */
export function eventDetail({ type, data }: StreamEvent): string {
  if (type === "clicked") return data.url ?? ""
  if (type === "opened") return data.machine === "true" ? "by a machine" : ""
  return data.diagnostic ?? ""
}

/** The most events that the page holds; the oldest are dropped first. */
export const eventsMax = 10_000

export type EventLog = {
  /** Oldest first, at most `eventsMax`. */
  shown: readonly StreamEvent[]
  /** How many of them, the oldest, happened before the page was connected. */
  before: number
  /** Arrived while paused; at most `eventsMax`. */
  waiting: readonly StreamEvent[]
  /** How many have arrived while paused, dropped ones included. */
  missed: number
  paused: boolean
  /** How many have arrived since the page was opened. */
  total: number
}

export const emptyLog: EventLog = { shown: [], before: 0, waiting: [], missed: 0, paused: false, total: 0 }

type LogAction =
  | { do: "recall"; events: readonly StreamEvent[] }
  | { do: "receive"; events: readonly StreamEvent[] }
  | { do: "pause" }
  | { do: "resume" }
  | { do: "clear" }

export function reduceLog(log: EventLog, action: LogAction): EventLog {
  switch (action.do) {
    case "recall":
      return { ...log, shown: action.events, before: action.events.length }
    case "receive":
      return received(log, action.events)
    case "pause":
      return { ...log, paused: true }
    case "resume":
      return { ...log, ...added(log, log.waiting), paused: false, waiting: [], missed: 0 }
    case "clear":
      return { ...log, shown: [], before: 0, waiting: [], missed: 0 }
  }
}

/** Only those of one of the types, or of any if there are none, with this in address or subject, in any case. */
export function filtered(
  events: readonly StreamEvent[],
  types: readonly string[],
  text: string,
): readonly StreamEvent[] {
  const part = text.trim().toLowerCase()
  if (types.length === 0 && !part) return events
  const holds = ({ data: { to = "", subject = "" } }: StreamEvent) => `${to}\n${subject}`.toLowerCase().includes(part)
  return events.filter((event) => (types.length === 0 || types.includes(event.type)) && (!part || holds(event)))
}

function received(log: EventLog, events: readonly StreamEvent[]): EventLog {
  const total = log.total + events.length
  if (log.paused) return { ...log, total, waiting: bounded(log.waiting, events), missed: log.missed + events.length }
  return { ...log, ...added(log, events), total }
}

function added({ shown, before }: EventLog, events: readonly StreamEvent[]): Pick<EventLog, "shown" | "before"> {
  const dropped = Math.max(0, shown.length + events.length - eventsMax)
  return { shown: bounded(shown, events), before: Math.max(0, before - dropped) }
}

function bounded(kept: readonly StreamEvent[], added: readonly StreamEvent[]): readonly StreamEvent[] {
  if (added.length === 0) return kept
  const over = kept.length + added.length - eventsMax
  return over > 0 ? [...kept, ...added].slice(over) : [...kept, ...added]
}
