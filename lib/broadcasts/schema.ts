import { z } from "zod"
import { checkContent, contentFields, entries } from "@/lib/broadcasts/content-schema"
import { broadcastStatuses, pausedReasons, waitReasons } from "@/lib/broadcasts/rules"
import {
  categories,
  checkTemplate,
  checkTemplateWhen,
  givenByTemplate,
  idempotencyKey,
  NewEmail,
  TrackingSettings,
} from "@/lib/emails/send/schema"
import { TemplateRef } from "@/lib/emails/templates/schema"
import { report } from "@/lib/metrics/schema"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, timestamp } from "@/lib/platform/schema"

const time = timestamp.describe("ISO 8601, 30 seconds to 30 days ahead.")

const placeholders = z
  .boolean()
  .describe(
    "Whether `{{contact.firstName | there}}` in subject, html and text shows a field of each recipient (`email`, `firstName`, `lastName`, `phone`) or a contact property, with a fallback for those who have no value. As in templates; one without a fallback shows nothing to them. Otherwise it is sent as it is written.",
  )

/** A template has placeholders of its own. */
export function checkPlaceholders(
  { placeholders: given, template }: { placeholders?: boolean | undefined; template?: unknown },
  context: z.RefinementCtx,
): void {
  if (given && template) context.addIssue({ code: "custom", path: ["placeholders"], message: givenByTemplate })
}

export const NewBroadcast = z
  .strictObject({
    ...contentFields,
    subject: NewEmail.shape.subject,
    template: TemplateRef.optional().describe(
      "A published template, by its id or name, that gives subject, html and text. It is copied: what is published later changes nothing. Fields of the contact that it shows are those of each recipient, so they need fallbacks.",
    ),
    placeholders: placeholders.default(false),
    to: entries,
    scheduledAt: time.optional(),
    draft: z.boolean().default(false).describe("Stores it as a draft: nothing is sent until `POST …/send`."),
    idempotencyKey: idempotencyKey.optional(),
  })
  .superRefine(checkTemplate, checkTemplateWhen)
  .superRefine(checkContent)
  .superRefine(checkPlaceholders)
  .meta({ id: "CreateBroadcastRequest" })

export type NewBroadcast = z.output<typeof NewBroadcast>

const { from, replyTo, subject, html, text, attachments, headers, tags, metadata, topicId, ...others } = contentFields

/** A body without content clears the field, and stays distinct from one that is left out, which changes nothing. */
function cleared(body: typeof html) {
  return body
    .unwrap()
    .transform((text) => text ?? "")
    .nullable()
    .optional()
}

export const BroadcastChange = z
  .strictObject({
    from: from.optional(),
    to: entries.optional(),
    replyTo: replyTo.nullable(),
    subject: subject.optional(),
    html: cleared(html),
    text: cleared(text),
    attachments: attachments.nullable(),
    headers: headers.nullable(),
    tags: tags.nullable(),
    metadata: metadata.nullable(),
    topicId: topicId.nullable(),
    sendTimeCategory: z.enum(categories).optional(),
    trackingSettings: TrackingSettings.nullable().optional(),
    testMode: z.boolean().optional(),
    giveUpAfterSeconds: others.giveUpAfterSeconds.nullable(),
    template: TemplateRef.nullable()
      .optional()
      .describe(
        "Gives subject, html and text anew, from the version that is published now. `null` keeps them as they are, for a contact of whom nothing is known, to be changed by themselves.",
      ),
    placeholders: placeholders.optional(),
    scheduledAt: time.nullable().optional().describe("`null` makes a scheduled broadcast a draft again."),
    unchangedSince: timestamp
      .optional()
      .describe(
        "The `updatedAt` that the change builds on. If somebody has changed the broadcast since, it is refused.",
      ),
  })
  .superRefine(checkPlaceholders)
  .meta({ id: "UpdateBroadcastRequest" })

export type BroadcastChange = z.output<typeof BroadcastChange>

const counts = z
  .strictObject({
    recipients: int32
      .optional()
      .describe("People found when sending began, each counted once, and those who joined since. Absent before that."),
    accepted: int32.describe("Emails that were accepted for them."),
    excluded: z
      .strictObject({
        unsubscribed: int32.describe("Unsubscribed from everything."),
        suppressed: int32.describe("On the suppression list for another reason."),
        topicOptOut: int32.describe("Not subscribed to the email's topic."),
        left: int32.describe(
          "Left the segment or topic after sending began and before they were reached. Known at the end.",
        ),
      })
      .meta({ id: "BroadcastExcludedCounts" })
      .describe("People who were excluded, each by the first reason that applies."),
    sent: int32.describe(
      "Emails with an SMTP response. These and the following as in the metrics, simulator excluded.",
    ),
    delivered: int32,
    bounced: int32.describe("Hard bounces."),
    complained: int32,
    opened: int32,
    clicked: int32,
    unsubscribed: int32,
    failed: int32,
    ...report,
  })
  .meta({ id: "BroadcastCounts" })

const head = {
  id: id("bc"),
  projectId: id("proj"),
  status: z.enum(broadcastStatuses),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  topicId: id("top").optional(),
  testMode: z.boolean(),
  tracked: z
    .strictObject({ opens: z.boolean(), clicks: z.boolean() })
    .meta({ id: "BroadcastTracked" })
    .describe("Whether opens and clicks of its emails are tracked. What is not tracked is counted as 0."),
  scheduledAt: timestamp.optional(),
  counts,
  pausedReason: z
    .enum(pausedReasons)
    .optional()
    .describe(
      "Why it is paused: by a request, or automatically because of bounces, complaints, a project or domain that cannot send, a full storage, a scheduled time that passed more than 72 hours before it could begin, or because its topic, or every segment and topic among its recipients, was deleted.",
    ),
  waiting: z
    .strictObject({ reason: z.enum(waitReasons), until: timestamp.optional() })
    .meta({ id: "BroadcastWait" })
    .optional()
    .describe("What it waits for. It continues automatically."),
  startedAt: timestamp.optional(),
  endedAt: timestamp.optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
}

export const BroadcastItem = z.strictObject(head).meta({ id: "BroadcastItemResponse" })
export type BroadcastItem = z.output<typeof BroadcastItem>
export const BroadcastPage = pageOf(BroadcastItem)

export const Broadcast = z
  .strictObject({
    ...head,
    replyTo: z.string().optional(),
    template: z
      .strictObject({
        id: id("tpl"),
        name: z.string(),
        version: int32,
        variables: z.record(z.string(), z.string()),
        isPersonal: z.boolean().describe("Whether it shows fields of the contact."),
      })
      .meta({ id: "BroadcastTemplate" })
      .optional()
      .describe("As it was when the broadcast was made from it."),
    placeholders: z.boolean().describe("Whether subject, html and text are written with placeholders."),
    html: z.string().optional().describe("With a template, as for a contact of whom nothing is known."),
    text: z.string().optional(),
    attachments: z
      .array(z.strictObject({ filename: z.string(), contentType: z.string(), size: int32.describe("Bytes.") }))
      .optional(),
    headers: z.record(z.string(), z.string()).optional(),
    tags: z.record(z.string(), z.string()).optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    sendTimeCategory: z.enum(categories),
    trackingSettings: TrackingSettings.optional(),
    giveUpAfterSeconds: int32.optional(),
  })
  .meta({ id: "BroadcastResponse" })
export type Broadcast = z.output<typeof Broadcast>

export const broadcastMissing = problem(
  "broadcast.not_found",
  404,
  "Broadcast not found",
  "This project has no such broadcast.",
)
export const broadcastChanged = problem(
  "broadcast.changed_meanwhile",
  409,
  "Changed in the meantime",
  "Somebody changed this broadcast after `unchangedSince`. Read it again, and repeat your change on what it is now.",
)
export const statusConflict = problem(
  "broadcast.status_conflict",
  409,
  "Not possible in this status",
  "The status of the broadcast does not allow this. You can change or send drafts and scheduled broadcasts, delete drafts, pause broadcasts that are being sent, resume paused ones, and cancel any broadcast that has not ended.",
)

/** People whose clicks are counted, and links that are listed. */
export const clickersMax = 10_000
export const listedLinksMax = 100

export const BroadcastLinks = z
  .strictObject({
    data: z
      .array(
        z
          .strictObject({
            url: z.string().describe("As it was in the email."),
            clicks: int32.describe("By people."),
            people: int32.describe("Who clicked it, each counted once."),
          })
          .meta({ id: "BroadcastLink" }),
      )
      .describe(`The ${listedLinksMax} links with the most people, most first.`),
    complete: z.boolean().describe(`Whether all clicks are counted; at most the first ${clickersMax} people are.`),
  })
  .meta({ id: "BroadcastLinksResponse" })
export type BroadcastLinks = z.output<typeof BroadcastLinks>
