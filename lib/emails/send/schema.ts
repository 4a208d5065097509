import { z } from "zod"
import { type Address, addressTextMax, parseAddress } from "@/lib/addresses/address"
import { headerNameCharsMax, headersFaults, headersMax, threadBytesMax } from "@/lib/emails/header-rules"
import * as rules from "@/lib/emails/message-rules"
import { TemplateRef } from "@/lib/emails/templates/schema"
import { isObject, idText, int32, ruledText, timeCharsMax, timestamp } from "@/lib/platform/schema"

const address = z
  .string()
  .transform((text, context): Address => {
    const parsed = parseAddress(text)
    if (parsed.ok) return parsed
    context.addIssue({ code: "custom", message: parsed.reason })
    return z.NEVER
  })
  .meta({ maxLength: addressTextMax })

/** An address, or the id of a topic or segment, for its members. */
const recipient = z
  .string()
  .transform((text, context): Address | { audience: string } => {
    if (/^(top|seg)_[0-9a-z]{26}$/.test(text)) return { audience: text }
    const parsed = parseAddress(text)
    if (parsed.ok) return parsed
    context.addIssue({ code: "custom", message: parsed.reason })
    return z.NEVER
  })
  .meta({ maxLength: addressTextMax })

/** More than any project may allow at once; the project's own limit is checked with it at hand. */
export const addressesMax = 1_000

const labels = () =>
  z
    .record(z.string(), z.string())
    .superRefine((entries, context) => {
      for (const { key, sentence } of rules.labelsFaults(entries))
        context.addIssue({ code: "custom", path: key === undefined ? [] : [key], message: sentence })
    })
    .meta({
      maxProperties: rules.labelsMax,
      propertyNames: { type: "string", minLength: 1, maxLength: rules.labelKeyCharsMax },
      additionalProperties: { type: "string", maxLength: rules.labelValueCharsMax },
    })

/** One address as text, or several. */
const addresses = () => z.union([address.transform((one) => [one]), z.array(address).max(addressesMax)])

export const Attachment = z
  .strictObject({
    filename: ruledText(rules.filenameFault, rules.filenameCharsMax),
    content: z
      .base64("Must be base64.")
      .meta({ maxLength: Math.ceil(rules.attachmentBytesMax / 3) * 4 })
      .describe("Base64; all attachments together hold at most 10 MiB, decoded."),
    contentType: ruledText(rules.contentTypeFault, rules.contentTypeCharsMax),
    contentId: ruledText(rules.contentIdFault, rules.contentIdCharsMax)
      .optional()
      .describe("Without brackets, for `cid:` in the HTML."),
    disposition: z.enum(["attachment", "inline"]).default("attachment"),
  })
  .meta({ id: "AttachmentRequest" })

export const TrackingSettings = z
  .strictObject({
    openTracking: z.boolean().optional(),
    clickTracking: z.boolean().optional(),
    readEngagement: z.boolean().optional(),
    unsubscribeTracking: z
      .boolean()
      .optional()
      .describe(
        "Whether email to a single recipient carries the unsubscribe headers and link: always with a topic or segment; otherwise by default if `sendTimeCategory` is not `transactional`. The project's setting does not count.",
      ),
  })
  .meta({ id: "TrackingSettingsRequest" })

export const DeliveryWindow = z
  .strictObject({ start: timestamp, end: timestamp })
  // zod asks even where one of them is no time: that has its own fault.
  .refine(({ start, end }) => !(start instanceof Date && end instanceof Date) || end > start, {
    path: ["end"],
    message: "Must be after the start.",
  })
  .meta({ id: "DeliveryWindowRequest" })

export const idempotencyKey = z
  .string()
  .regex(/^[^\x00-\x20\x7f-\xa0](?:[^\x00-\x1f\x7f-\xa0]*[^\x00-\x20\x7f-\xa0])?$/, "Must be printable characters.")
  .max(256, "May have 256 characters.")

/** A body without content is absent: nobody is sent a blank part beside the other one. */
const body = ruledText(rules.bodyFault, rules.bodyBytesMax)
  .transform((text) => rules.presentBody(text))
  .optional()
  .describe("`html`, `text` or both. Empty, or white space alone, counts as absent.")

export const categories = ["transactional", "marketing", "notification", "digest"] as const

export const subjectText = ruledText(rules.subjectFault, rules.subjectCharsMax)

type Templated = { [Field in "template" | "subject" | "html" | "text"]?: unknown }

/** A template gives subject and bodies; without one, the subject must be given. */
export function checkTemplate({ template, subject, html, text }: Templated, context: z.RefinementCtx): void {
  const add = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message })
  if (template === undefined) {
    const sentence = typeof subject === "string" ? rules.subjectFault(subject) : "Must be given."
    if (sentence) add("subject", sentence)
  } else {
    for (const [field, given] of Object.entries({ subject, html, text })) if (given) add(field, givenByTemplate)
  }
}

export const givenByTemplate = "The template gives it. Leave out this field or `template`."

/** Also where other fields than these are invalid, so that every fault is named at once. */
function unlessInvalid(...fields: readonly string[]) {
  return {
    when: ({ value, issues }: z.core.ParsePayload) =>
      isObject(value) && !issues.some(({ path }) => fields.includes(String(path?.[0]))),
  }
}

export const checkTemplateWhen = unlessInvalid("subject")

export const NewEmail = z
  .strictObject({
    from: address.describe("An address on a verified domain of the project, with or without a display name."),
    to: z
      .union([
        recipient.transform((one) => [one]),
        z.array(recipient).min(1, "Must name a recipient.").max(addressesMax),
      ])
      .describe("Addresses (a bare string is also accepted), or exactly one `top_` or `seg_` id."),
    cc: addresses().optional().describe("Addresses (a bare string is also accepted)."),
    bcc: addresses().optional().describe("Addresses (a bare string is also accepted)."),
    replyTo: address.optional(),
    subject: z
      .string()
      .optional()
      .meta({ maxLength: rules.subjectCharsMax })
      .describe("With `template`, left out or empty."),
    html: body,
    text: body,
    attachments: z
      .array(Attachment)
      .max(rules.mimePartsMax)
      .superRefine((attachments, context) => {
        for (const at of rules.repeatedContentIds(attachments)) {
          const message = "Another attachment has this contentId; upper and lower case count as the same."
          context.addIssue({ code: "custom", path: [at, "contentId"], message })
        }
      })
      .optional(),
    headers: z
      .record(z.string(), z.string())
      .superRefine((headers, context) => {
        const entries = Object.entries(headers)
        if (entries.length > headersMax) context.addIssue({ code: "custom", message: `At most ${headersMax}.` })
        const faults = headersFaults(Object.fromEntries(entries.slice(0, headersMax)))
        for (const { name, sentence } of faults) context.addIssue({ code: "custom", path: [name], message: sentence })
      })
      .meta({
        maxProperties: headersMax,
        propertyNames: { type: "string", minLength: 1, maxLength: headerNameCharsMax },
        additionalProperties: { type: "string", maxLength: threadBytesMax },
      })
      .optional()
      .describe(
        "Additive: further headers. Headers that the service sets and those that give orders to a mail service on the way (`X-SES-…`, `X-SMTPAPI`) are refused, as are two whose names differ only in upper and lower case. `List-…` and `Archived-At` hold URIs in angle brackets, `Disposition-Notification-To` and `Return-Receipt-To` addresses. `List-Unsubscribe` and `List-Unsubscribe-Post` are allowed if the service does not set them.",
      ),
    idempotencyKey: idempotencyKey.optional(),
    tags: labels().optional(),
    metadata: labels().optional(),
    topicId: idText("top").optional().describe("Additive: the topic that this email belongs to."),
    sendTimeCategory: z.enum(categories).default("transactional"),
    scheduledAt: z
      .string()
      .meta({ maxLength: timeCharsMax })
      .optional()
      .describe(
        "ISO 8601, 30 seconds to 30 days ahead; or `optimal`: within `deliveryWindow`, at the hour of the day in which the recipient has opened most email, according to open tracking. Without such an hour, it is sent as early as the window allows. Transactional email never waits.",
      ),
    deliveryWindow: DeliveryWindow.optional().describe("Required with `optimal`, unless the email is transactional."),
    trackingSettings: TrackingSettings.optional(),
    testMode: z.boolean().default(false).describe("Runs everything except delivery; costs no quota."),
    giveUpAfterSeconds: int32
      .min(60)
      .max(72 * 3600)
      .optional()
      .describe("Additive: seconds without success after which the email is `failed`."),
    template: TemplateRef.optional().describe(
      "Additive: a published template, by its id or name, that gives subject, html and text. One that shows fields of the contact goes to one address at a time.",
    ),
    tls: z
      .enum(rules.tlsDemands)
      .optional()
      .describe(
        "Additive: what the connection to each recipient's server has to be, in regions that send directly: `opportunistic` (encrypted where the server offers it), `required` (encrypted), or `verified` (with a certificate for the server, of a known authority or one that its DNS names). Else the email waits. By default as in the settings of the project. A relay decides for itself.",
      ),
  })
  .superRefine(checkTemplate, checkTemplateWhen)
  .superRefine(
    (email, context) => {
      const missing = email.template === undefined ? rules.missingBody(email) : null
      if (missing) context.addIssue({ code: "custom", path: [missing], message: "Give html, text or both." })
    },
    unlessInvalid("template", "html", "text"),
  )
  .superRefine(
    (email, context) => {
      if (rules.mimePartCount(email) > rules.mimePartsMax) {
        context.addIssue({
          code: "custom",
          path: ["attachments"],
          message: `At most ${rules.mimePartsMax} MIME parts.`,
        })
      }
      if (email.trackingSettings?.unsubscribeTracking && (email.cc?.length || email.bcc?.length)) {
        const message =
          "Mail with cc or bcc is one message for all, so it cannot carry a link to unsubscribe one of them. Leave out cc and bcc, or this setting."
        context.addIssue({ code: "custom", path: ["trackingSettings", "unsubscribeTracking"], message })
      }
    },
    unlessInvalid("attachments", "html", "text", "trackingSettings", "cc", "bcc"),
  )
  // As published: what clients know demands a subject, which may be empty with a template.
  .meta({ id: "SendEmailRequest", required: ["from", "to", "subject"] })

export type NewEmail = z.output<typeof NewEmail>

/** An email whose template, if it has one, has been rendered. */
export type ComposedEmail = Omit<NewEmail, "subject" | "template"> & { subject: string }
