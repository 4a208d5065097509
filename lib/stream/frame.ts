import { z } from "zod"
import { shownEventData } from "@/lib/explanation/words"
import { StreamEvent } from "@/lib/stream/schema"
import type { EventRow } from "@/lib/stream/event-sql"

/** Events that are sent together, as bytes. */
export type Chunk = { events: number; bytes: Uint8Array }

const encoder = new TextEncoder()

/** Encoded once for all readers: with hundreds of streams a copy for each would take most of the memory. */
export function chunkOf(rows: readonly EventRow[]): Chunk {
  return { events: rows.length, bytes: encoder.encode(rows.map(frameOf).join("")) }
}

/** One event as one `data:` line and a blank line. JSON escapes every line break inside. */
function frameOf(row: EventRow): string {
  const event = z.encode(StreamEvent, {
    id: row.id,
    type: row.type as z.output<typeof StreamEvent>["type"],
    emailId: row.emailId,
    occurredAt: row.occurredAt,
    data: shownEventData(row.data),
  })
  return `data: ${JSON.stringify(event)}\n\n`
}
