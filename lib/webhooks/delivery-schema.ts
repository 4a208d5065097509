import { z } from "zod"
import { pageOf } from "@/lib/platform/http/paging"
import { id, int32, timestamp } from "@/lib/platform/schema"

export const deliveryStatuses = ["pending", "processing", "success", "failed", "cancelled"] as const

const WebhookAttempt = z
  .strictObject({
    at: timestamp.describe("When it began."),
    durationMs: int32.describe("Until the response, or until it was given up."),
    statusCode: int32.optional().describe("If the endpoint answered."),
    error: z.string().optional().describe("Why it failed."),
    requestHeaders: z
      .record(z.string(), z.string())
      .optional()
      .describe("Sent besides the body; missing where the URL was refused before anything was signed."),
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
    attemptCount: int32.describe("Attempts that ended."),
    lastStatusCode: int32.optional().describe("Of the most recent attempt, if the endpoint answered."),
    lastError: z.string().optional().describe("Why the most recent attempt failed."),
    responseBodySnippet: z.string().optional().describe("How the last response began, at most 4 KiB."),
    nextAttemptAt: timestamp.optional().describe("When a pending delivery is attempted next."),
    payload: z
      .string()
      .optional()
      .describe("Additive: the body that is signed and sent; only where one delivery is read."),
    attempts: z
      .array(WebhookAttempt)
      .optional()
      .describe("Additive: the attempts that ended, oldest first; only where one delivery is read."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "WebhookDeliveryResponse" })

export type WebhookDelivery = z.output<typeof WebhookDelivery>
export const WebhookDeliveryPage = pageOf(WebhookDelivery)

export const ReplayRange = z
  .strictObject({
    since: timestamp.describe("Deliveries that were created from this time on."),
    until: timestamp.optional().describe("Up to this time; now when left out."),
    include: z
      .enum(["undelivered", "all"])
      .default("undelivered")
      .describe("`undelivered` replays the events that the endpoint has not taken yet, `all` the others as well."),
    dryRun: z.boolean().default(false).describe("Only counts what would be replayed."),
  })
  .meta({ id: "WebhookReplayBody" })

export const ReplayedRange = z
  .strictObject({ count: int32.describe("Events that are replayed, or would be.") })
  .meta({ id: "WebhookReplayResponse" })
