import { z } from "zod"
import { id, timestamp } from "@/lib/platform/schema"

/** The seven types that the stream carries. */
export const streamedTypes = [
  "sent",
  "delivered",
  "bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
] as const

export const StreamToken = z
  .strictObject({ token: z.string(), expiresAt: timestamp })
  .meta({ id: "StreamTokenResponse" })

export const StreamEvent = z
  .strictObject({
    id: id("evt").describe("Additive: pass it as `after` to resume from here."),
    type: z.enum(streamedTypes),
    emailId: id("email"),
    occurredAt: timestamp,
    data: z.record(z.string(), z.string()),
  })
  .meta({ id: "StreamEvent" })

export type StreamEvent = z.output<typeof StreamEvent>

export const RecentEvents = z.strictObject({ data: z.array(StreamEvent) }).meta({ id: "RecentEvents" })
