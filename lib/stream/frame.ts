import { z } from "zod"
import { StreamEvent } from "@/lib/stream/schema"
import type { EventRow } from "@/lib/stream/store"

/** Events that are handed out together, as what goes over the wire. */
export type Chunk = { events: number; bytes: Uint8Array }

const encoder = new TextEncoder()

/** Made once for all readers: with hundreds of streams a copy for each would be most of the memory. */
export function chunkOf(rows: readonly EventRow[]): Chunk {
  return { events: rows.length, bytes: encoder.encode(rows.map(frameOf).join("")) }
}

/** One event as one `data:` line and a blank line. JSON escapes every line break inside. */
function frameOf(row: EventRow): string {
  const event = z.encode(StreamEvent, {
    id: row.id,
    type: row.type as z.output<typeof StreamEvent>["type"],
    emailId: row.email_id,
    occurredAt: row.occurred_at,
    data: row.data,
  })
  return `data: ${JSON.stringify(event)}\n\n`
}
