import { z } from "zod"
import { pageOf } from "@/lib/platform/http/paging"
import { id, int32, timestamp } from "@/lib/platform/schema"

export const deliveryStatuses = ["pending", "processing", "success", "failed", "cancelled"] as const

const WebhookAttempt = z
  .strictObject({
    at: timestamp.describe("When it began."),
    durationMs: int32.describe("Until the response, or until the attempt was aborted."),
    statusCode: int32.optional().describe("If the endpoint answered."),
    error: z.string().optional().describe("Why it failed."),
    requestHeaders: z
      .record(z.string(), z.string())
      .optional()
      .describe("Sent with the body; absent if the URL was refused before anything was signed."),
  })
  .meta({ id: "WebhookAttempt" })

export const WebhookDelivery = z
  .strictObject({
    id: id("whd"),
    projectId: id("proj"),
    webhookEndpointId: id("whk"),
    eventId: id("evt").optional().describe("Additive: the `webhook-id` of every attempt, replays included."),
    eventType: z.string(),
    status: z.string().describe("`pending`, `processing`, `success`, `failed` or `cancelled`."),
    attemptCount: int32.describe("Completed attempts."),
    lastStatusCode: int32.optional().describe("Status of the most recent attempt, if the endpoint responded."),
    lastError: z.string().optional().describe("Why the most recent attempt failed."),
    responseBodySnippet: z.string().optional().describe("The beginning of the last response, at most 4 KiB."),
    nextAttemptAt: timestamp.optional().describe("When a pending delivery is attempted next."),
    payload: z
      .string()
      .optional()
      .describe("Additive: the body that is signed and sent; only when a single delivery is read."),
    attempts: z
      .array(WebhookAttempt)
      .optional()
      .describe("Additive: the completed attempts, oldest first; only when a single delivery is read."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "WebhookDeliveryResponse" })

export type WebhookDelivery = z.output<typeof WebhookDelivery>
export const WebhookDeliveryPage = pageOf(WebhookDelivery)

export const ReplayRange = z
  .strictObject({
    since: timestamp.describe("Deliveries that were created from this time on."),
    until: timestamp.optional().describe("Up to this time; defaults to now."),
    include: z
      .enum(["undelivered", "all"])
      .default("undelivered")
      .describe(
        "`undelivered` replays the events that the endpoint has not accepted yet; `all` replays the others as well.",
      ),
    dryRun: z.boolean().default(false).describe("Only counts what would be replayed."),
  })
  .meta({ id: "WebhookReplayBody" })

export const ReplayedRange = z
  .strictObject({ count: int32.describe("Events that are, or would be, replayed.") })
  .meta({ id: "WebhookReplayResponse" })
