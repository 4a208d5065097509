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
