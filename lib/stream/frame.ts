import { z } from "zod"
import { StreamEvent } from "@/lib/stream/schema"
import type { EventRow } from "@/lib/stream/store"

const encoder = new TextEncoder()

/** One event as one `data:` line and a blank line. JSON escapes every line break inside. */
export function frameOf(row: EventRow): Uint8Array {
  const event = z.encode(StreamEvent, {
    id: row.id,
    type: row.type as z.output<typeof StreamEvent>["type"],
    emailId: row.email_id,
    occurredAt: row.occurred_at,
    data: row.data,
  })
  return encoder.encode(`data: ${JSON.stringify(event)}\n\n`)
}
