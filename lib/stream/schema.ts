import { z } from "zod"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, timestamp } from "@/lib/platform/schema"

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

export const RecentEventCounts = z
  .strictObject({
    since: timestamp.describe("Events that occurred since this time are counted."),
    until: timestamp.describe("The time of the count."),
    last: id("evt")
      .optional()
      .describe("The newest event counted. A stream opened with `after` set to it carries the next."),
    data: z
      .array(
        z.strictObject({
          at: timestamp.describe("When the two minutes begin, an even minute."),
          type: z.enum(streamedTypes),
          count: int32,
        }),
      )
      .describe("Oldest first; a type that did not occur within two minutes is omitted."),
  })
  .meta({ id: "RecentEventCounts" })

export type RecentEventCounts = z.output<typeof RecentEventCounts>

export const streamTokenInvalid = problem(
  "stream.token_invalid",
  401,
  "Stream token invalid",
  "The token is unknown, used or older than 60 seconds. Issue a new one for every connection.",
)
