import { z } from "zod"
import { emailStatuses } from "@/lib/emails/message-rules"
import { categories } from "@/lib/emails/send/schema"
import { pageOf } from "@/lib/platform/http/paging"
import { id, int32, timeCharsMax, timestamp } from "@/lib/platform/schema"
import { problem } from "@/lib/platform/http/problem"

/** What a sent email tracks. */
const Tracking = z
  .strictObject({
    openTracking: z.boolean().optional(),
    clickTracking: z.boolean().optional(),
    readEngagement: z.boolean().optional(),
    unsubscribeTracking: z.boolean().optional().describe("Whether the email carries the unsubscribe headers and link."),
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
    broadcastId: id("bc").optional().describe("Additive: the broadcast that the email belongs to."),
    sendTimeCategory: z
      .enum(categories)
      .optional()
      .describe("Additive: as in the request; `transactional` by default."),
    trackingSettings: Tracking.optional().describe(
      "Additive: as in the request; `unsubscribeTracking` as it was decided.",
    ),
    tags: z.record(z.string(), z.string()).optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    testMode: z.boolean(),
    error: z.string().optional(),
    scheduledAt: timestamp.optional().describe("Additive."),
    tls: z.string().optional().describe("Additive: as in the request; absent where the project decides."),
    sentAt: timestamp.optional(),
    createdAt: timestamp,
    updatedAt: timestamp.optional(),
  })
  .meta({ id: "EmailDetailResponse" })

export type Email = z.output<typeof Email>

export const EmailPage = pageOf(Email)
  .extend({
    totalIsMinimum: z.literal(true).optional().describe("Additive: there are more emails than `total`."),
    searchedTo: timestamp
      .optional()
      .describe("Additive: emails before this time were not searched, because that would have taken too long."),
  })
  .meta({ id: "Page_EmailDetailResponse" })

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
  .strictObject({
    scheduledAt: z
      .string()
      .meta({ maxLength: timeCharsMax })
      .describe("ISO 8601 with its offset, 30 seconds to 30 days ahead."),
  })
  .meta({ id: "RescheduleEmailRequest" })

export const Cancelled = z.strictObject({ cancelled: z.boolean() }).meta({ id: "CancelResponse" })
export const BulkCancelled = z.strictObject({ cancelled: int32 }).meta({ id: "BulkCancelResponse" })

export const EmailCounts = z
  .strictObject({
    total: int32.describe("All emails that were counted."),
    complete: z.boolean().describe("Whether all emails were counted; otherwise each count is a minimum."),
    statuses: z.array(z.strictObject({ status: z.enum(emailStatuses), count: int32 })),
  })
  .meta({ id: "EmailCounts" })

export type EmailCounts = z.output<typeof EmailCounts>

export const EmailsToCancel = z
  .strictObject({ ids: z.array(z.string().max(64)).min(1).max(100).describe("Ids of emails.") })
  .meta({ id: "CancelEmailsRequest" })

export const cancelOutcomes = ["cancelled", "not_scheduled", "not_found"] as const

export const CancelledEmails = z
  .strictObject({
    cancelled: int32,
    data: z
      .array(
        z.strictObject({
          id: z.string(),
          result: z.enum(cancelOutcomes),
          status: z.string().optional().describe("The current status of an email that was not scheduled."),
        }),
      )
      .describe("The result for each email, in the order of the request."),
  })
  .meta({ id: "CancelEmailsResponse" })

export const Attempt = z
  .strictObject({
    id: id("att"),
    attempt: int32,
    outcome: z.string(),
    phase: z.string().optional(),
    code: int32.optional(),
    enhanced: z.string().optional(),
    text: z.string().optional(),
    remote: z.string().optional(),
    tls: z.string().optional(),
    tlsLevel: z
      .string()
      .optional()
      .describe(
        "Additive: how safe the connection to a recipient's own server was: `none`, `encrypted` (any certificate), `valid` (of a known authority, for the name of the server) or `dane` (RFC 7672). Absent where a relay sends.",
      ),
    tlsPolicy: z
      .string()
      .optional()
      .describe(
        "Additive: what demanded that level: `dane`, `mta-sts` (RFC 8461), `sender` (the `tls` of the email or of its project) or `provider`, whose servers always encrypt. Absent where the server's offer was taken.",
      ),
    source: z.string().optional().describe("Additive: the IP address that it left from. Absent where a relay sends."),
    ehloName: z
      .string()
      .optional()
      .describe("Additive: what it called itself there (EHLO). Absent where a relay sends."),
    conversation: z.array(z.string()).optional(),
    startedAt: timestamp,
    endedAt: timestamp.optional(),
  })
  .meta({ id: "DeliveryAttempt" })

export type Attempt = z.output<typeof Attempt>

export const Delivery = z
  .strictObject({
    id: id("dlv"),
    role: z.enum(["to", "cc", "bcc"]),
    address: z.string(),
    status: z.string(),
    attempts: z.array(Attempt),
    nextAttemptAt: timestamp.optional(),
    bounceType: z.string().optional(),
    bounceCode: z.string().optional(),
    diagnostic: z.string().optional(),
    suppressedBy: z
      .string()
      .optional()
      .describe(
        "Additive: why nothing was sent: the reason on the suppression list, `topic_opt_out`, `topic_deleted` or `simulator`.",
      ),
    suppressedDetail: z
      .string()
      .optional()
      .describe("Additive: for `topic_opt_out`, the topic that the recipient was not subscribed to."),
    sentAt: timestamp.optional(),
    deliveredAt: timestamp.optional(),
    endedAt: timestamp.optional(),
  })
  .meta({ id: "Delivery" })

export type Delivery = z.output<typeof Delivery>

export const DeliveryList = z.strictObject({ data: z.array(Delivery) }).meta({ id: "DeliveryList" })

export const emailMissing = problem("email.not_found", 404, "Email not found", "This project has no such email.")
export const rawMissing = problem(
  "email.raw_not_found",
  404,
  "Message not stored",
  "The message is composed at its first delivery attempt. Try again after that.",
)
export const idempotencyConflict = problem(
  "email.idempotency_conflict",
  409,
  "Same key in flight",
  "Another request with this idempotencyKey is being accepted. Send the same request again after `Retry-After`.",
)
export const notCancellable = problem(
  "email.not_cancellable",
  409,
  "Not cancellable",
  "Only an email with the status `scheduled` can be cancelled.",
)
export const notReschedulable = problem(
  "email.not_reschedulable",
  409,
  "Not reschedulable",
  "Only an email with the status `scheduled` can be moved to another time.",
)
export const domainNotVerified = problem(
  "email.from_domain_not_verified",
  422,
  "Sending domain not verified",
  "The domain of `from` is not a verified domain of this project. Add exactly this domain (a subdomain needs its own registration), publish its DNS records and wait until it is verified.",
)
export const projectSuspended = problem(
  "project.suspended",
  422,
  "Project suspended",
  "The project is suspended or deleted and cannot send. An owner can resume it in the project's settings, which also show the reason.",
)
export const audienceTooLarge = problem(
  "email.audience_too_large",
  413,
  "Audience too large",
  "A topic or segment can be the recipient of one request only if it has at most 50 sendable members. Create a broadcast to reach more.",
)
export const audienceEmpty = problem(
  "email.audience_empty",
  422,
  "Audience empty",
  "The topic or segment has no sendable members: it is empty, or all members are unsubscribed, suppressed or have not opted in. `POST /v1/projects/{projectId}/segments/preview` shows who is excluded and why.",
)
export const sendRateExceeded = problem(
  "quota.send_rate_exceeded",
  429,
  "Sending too fast",
  "The project has reached its allowance per second. Wait for `Retry-After` and send again.",
)
export const dailyQuotaExceeded = problem(
  "quota.daily_exceeded",
  429,
  "Daily allowance used up",
  "The organization has used up its daily allowance. It resets at midnight UTC; `Retry-After` is the number of seconds until then.",
)
