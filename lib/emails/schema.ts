import { z } from "zod"
import { categories } from "@/lib/emails/send-schema"
import { pageOf } from "@/lib/platform/http/paging"
import { id, int32, timestamp } from "@/lib/platform/schema"

/** What a sent email tracks. */
const Tracking = z
  .strictObject({
    openTracking: z.boolean().optional(),
    clickTracking: z.boolean().optional(),
    readEngagement: z.boolean().optional(),
    unsubscribeTracking: z.boolean().optional().describe("Whether it carries the headers and the link to unsubscribe."),
  })
  .meta({ id: "EmailTrackingSettings" })

export const Email = z
  .strictObject({
    id: id("email"),
    status: z.string(),
    from: z.string(),
    to: z.array(z.string()),
    cc: z.array(z.string()).optional(),
    bcc: z.array(z.string()).optional(),
    replyTo: z.string().optional(),
    subject: z.string(),
    html: z.string().optional(),
    text: z.string().optional(),
    messageId: z.string().optional(),
    topicId: id("top").optional(),
    sendTimeCategory: z
      .enum(categories)
      .optional()
      .describe("Additive: as in the request; `transactional` if it named none."),
    trackingSettings: Tracking.optional().describe(
      "Additive: as in the request; `unsubscribeTracking` as it was decided.",
    ),
    tags: z.record(z.string(), z.string()).optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    testMode: z.boolean(),
    error: z.string().optional(),
    scheduledAt: timestamp.optional().describe("Additive."),
    sentAt: timestamp.optional(),
    createdAt: timestamp,
    updatedAt: timestamp.optional(),
  })
  .meta({ id: "EmailDetailResponse" })

export type Email = z.output<typeof Email>

export const EmailPage = pageOf(Email)

export const TimelineItem = z
  .strictObject({
    id: id("evt"),
    type: z.string(),
    occurredAt: timestamp,
    createdAt: timestamp,
    payload: z.record(z.string(), z.string()).optional(),
    providerEventId: z.string().optional(),
  })
  .meta({ id: "EmailTimelineItem" })

export type TimelineItem = z.output<typeof TimelineItem>

export const Timeline = z.strictObject({ items: z.array(TimelineItem) }).meta({ id: "EmailTimelineResponse" })

export const Reschedule = z
  .strictObject({ scheduledAt: z.string().describe("ISO 8601 with its offset, 30 seconds to 30 days ahead.") })
  .meta({ id: "RescheduleEmailRequest" })

export const Cancelled = z.strictObject({ cancelled: z.boolean() }).meta({ id: "CancelResponse" })
export const BulkCancelled = z.strictObject({ cancelled: int32 }).meta({ id: "BulkCancelResponse" })
