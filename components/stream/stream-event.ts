import type { Tone } from "@/components/ui/pill"

/** One event as the stream writes it. */
export type StreamEvent = {
  id: string
  type: string
  emailId: string
  occurredAt: string
  data: Record<string, string>
}

type EventWords = { word: string; tone: Tone; means: string }

/** The seven kinds that the stream carries. */
export const eventTypes: Record<string, EventWords> = {
  sent: { word: "Sent", tone: "good", means: "A mail server took responsibility for it." },
  delivered: { word: "Delivered", tone: "good", means: "The recipient's mail server took it." },
  bounced: { word: "Bounced", tone: "bad", means: "The receiving server refused it for good." },
  complained: { word: "Complained", tone: "bad", means: "The recipient marked it as spam." },
  opened: { word: "Opened", tone: "good", means: "It was opened." },
  clicked: { word: "Clicked", tone: "good", means: "A link in it was followed." },
  unsubscribed: { word: "Unsubscribed", tone: "wait", means: "The recipient asked for no more of this." },
}

export function eventWords(type: string): EventWords {
  return eventTypes[type] ?? { word: type, tone: "wait", means: "A kind that this page does not know yet." }
}

/** Reads one `data:` line; null for what is no event, so that one odd line never ends the stream. */
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

/** The second half of a line: what there is to say beyond its kind and recipient. */
export function eventDetail({ type, data }: StreamEvent): string {
  if (type === "bounced") return data.diagnostic ?? data.subject ?? ""
  if (type === "clicked") return data.url ?? data.subject ?? ""
  return data.subject ?? ""
}
