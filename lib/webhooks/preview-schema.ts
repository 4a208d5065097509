import { z } from "zod"
import { int32, id, timestamp } from "@/lib/platform/schema"
import { events, filters, transformations } from "@/lib/webhooks/schema"

export const PreviewedWebhook = z
  .strictObject({
    events: events.describe("The types that the webhook would subscribe to."),
    filters: filters.optional(),
    transformations: transformations.optional(),
  })
  .meta({ id: "WebhookPreviewBody" })

const PreviewedEvent = z
  .strictObject({
    eventId: id("evt"),
    type: z.string(),
    occurredAt: timestamp,
    delivered: z.boolean().describe("Whether the webhook would receive it."),
    failingFilter: int32.optional().describe("The position of the first filter that excludes it, from 0."),
    payload: z.string().describe("The event before the transformations, as the filters see it."),
    body: z.string().describe("What would be signed and sent, byte for byte; empty where `failure` is given."),
    failure: z
      .string()
      .optional()
      .describe("Why the event could not be sent: the transformations make it too large or take too long."),
  })
  .meta({ id: "WebhookPreviewedEvent" })

export const WebhookPreview = z.strictObject({ data: z.array(PreviewedEvent) }).meta({ id: "WebhookPreviewResponse" })
