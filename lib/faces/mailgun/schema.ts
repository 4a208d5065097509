import { z } from "zod"
import { refused, withoutEffect } from "@/lib/faces/fields"

const many = <S extends z.ZodType>(element: S) =>
  z.union([element.transform((one) => [one]), z.array(element).max(1_000)])
const flag = z.enum(["yes", "no", "true", "false", "True", "False"]).transform((text) => /^(yes|true)$/i.test(text))
const tracking = z
  .enum(["yes", "no", "true", "false", "True", "False", "htmlonly"])
  .transform((text) => /^(yes|true|htmlonly)$/i.test(text))
const File = z.strictObject({ filename: z.string(), contentType: z.string(), content: z.string() })

/** Text in JSON. */
const json = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: "custom", message: "Must be JSON." })
        return z.NEVER
      }
    })
    .pipe(schema)

const valueText = z.union([z.string(), z.number(), z.boolean(), z.null()]).transform((value) => String(value ?? ""))

export const MailgunMessage = z.strictObject({
  from: z.string().describe("`from`."),
  to: many(z.string()).describe(
    "`to`. Several addresses get a message each, unless there is `cc` or `bcc`: then all share one.",
  ),
  cc: many(z.string()).optional().describe("`cc`."),
  bcc: many(z.string()).optional().describe("`bcc`."),
  subject: z.string().optional().describe("`subject`. With `template` it is refused: the template gives the subject."),
  text: z.string().optional().describe("`text`."),
  html: z.string().optional().describe("`html`."),
  attachment: many(File).optional().describe("`attachments`."),
  inline: many(File).optional().describe("`attachments` with the file name as `contentId`."),
  template: z.string().optional().describe("`template`: a `tpl_` id or the name of a template."),
  "t:variables": json(z.record(z.string(), z.unknown()))
    .optional()
    .describe("`template.variables`: texts and numbers. Objects and lists are refused."),
  "recipient-variables": json(z.record(z.string(), z.record(z.string(), valueText)))
    .optional()
    .describe("`%recipient.name%` in subject, bodies and headers. Each address of `to` gets an email of its own."),
  "o:tag": many(z.string()).optional().describe("`tags`, one for each, without a value."),
  "o:deliverytime": z.string().optional().describe("`scheduledAt`: RFC 2822 or ISO 8601."),
  "o:testmode": flag.optional().describe("`testMode`."),
  "o:tracking": tracking.optional().describe("`trackingSettings.openTracking` and `clickTracking`."),
  "o:tracking-opens": flag.optional().describe("`trackingSettings.openTracking`."),
  "o:tracking-clicks": tracking.optional().describe("`trackingSettings.clickTracking`."),
  "o:require-tls": flag.optional().describe("`tls`: `required`, or `verified` unless `o:skip-verification` is `yes`."),
  "o:skip-verification": flag.optional().describe("With `o:require-tls`."),
  "o:dkim": withoutEffect(flag, "every email is signed."),
  h: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "`h:Reply-To` is `replyTo`, others are `headers`. `h:Sender` is left out where it is the address of `from`, `<%tag_unsubscribe_email%>` always.",
    ),
  v: z.record(z.string(), z.string()).optional().describe("`metadata`."),
  "amp-html": refused("there is no AMP part."),
  "t:version": refused("sends use the published version of a template."),
  "t:text": refused("a template has a text of its own."),
  "o:deliverytime-optimize-period": refused("use `scheduledAt: optimal` of our own API."),
  "o:time-zone-localize": refused("there are no time zones of recipients."),
})

export type MailgunMessage = z.output<typeof MailgunMessage>

export const MailgunAccepted = z.strictObject({ id: z.string(), message: z.string() })

/** Its types of events by ours. */
export const eventNames: Record<string, string> = {
  sent: "accepted",
  delivered: "delivered",
  bounced: "failed",
  complained: "complained",
  opened: "opened",
  clicked: "clicked",
  unsubscribed: "unsubscribed",
}

const seconds = z.string().regex(/^\d{1,12}(\.\d+)?$/, "Must be seconds since 1970.")

export const eventsQuery = {
  event: z.string().max(200).optional().describe("Types, with `OR` between them."),
  tags: z.string().max(200).optional().describe("One tag."),
  recipient: z.string().max(320).optional().describe("Exact address."),
  begin: seconds.optional().describe("Seconds since 1970; by default an hour ago."),
  end: seconds.optional().describe("Seconds since 1970."),
  ascending: z.enum(["yes"], "Events are listed oldest first: give yes.").optional().describe("`yes`: the only order."),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, "Must be at most 300.")
    .optional()
    .describe("At most so many; a page has up to 50 in any case."),
  page: z.string().max(200).optional().describe("From `paging`."),
}

const Urls = z.strictObject({ first: z.string(), previous: z.string(), next: z.string(), last: z.string() })

export const MailgunEvents = z.strictObject({
  items: z.array(z.record(z.string(), z.unknown())),
  paging: Urls,
})
