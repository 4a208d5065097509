import { z } from "zod"
import type { FieldNames } from "@/lib/faces/call"
import { given, refused, templateRef } from "@/lib/faces/fields"

const addresses = z.union([z.string().transform((one) => [one]), z.array(z.string()).max(1_000)])

export const replyToField = z
  .union([z.string().transform((one) => [one]), z.array(z.string()).max(1, "May hold one address.")])
  .optional()
  .describe("`replyTo`: one address.")

export const ResendEmail = z.strictObject({
  from: z.string().describe("`from`."),
  to: addresses.describe(
    "`to`. Several addresses get a message each, unless there is `cc` or `bcc`: then all share one.",
  ),
  cc: addresses.optional().describe("`cc`."),
  bcc: addresses.optional().describe("`bcc`."),
  reply_to: replyToField,
  subject: z.string().optional().describe("`subject`. With `template` it is refused: the template gives the subject."),
  html: z.string().optional().describe("`html`."),
  text: z.string().optional().describe("`text`."),
  headers: z.record(z.string(), z.string()).optional().describe("`headers`."),
  attachments: z
    .array(
      z.strictObject({
        content: z.string().optional(),
        filename: z.string().optional(),
        path: refused("attach the content itself; nothing is fetched."),
        content_type: z.string().optional(),
        content_id: z.string().optional(),
      }),
    )
    .optional()
    .describe(
      "`attachments`. Without `content_type` they are `application/octet-stream`; `path` is refused, because nothing is fetched.",
    ),
  tags: z
    .array(z.strictObject({ name: z.string(), value: z.string() }))
    .max(50)
    .optional()
    .describe("`tags`."),
  scheduled_at: z.string().optional().describe("`scheduledAt`: ISO 8601. Words such as `in 1 hour` are refused."),
  template: z
    .strictObject({ id: z.string(), variables: z.record(z.string(), z.unknown()).optional() })
    .optional()
    .describe("`template`: by a `tpl_` id or the name of a template."),
  topic_id: z.string().optional().describe("`topicId`."),
})

export type ResendEmail = z.output<typeof ResendEmail>

/** The names of our fields. */
export const resendNames: FieldNames = {
  ...{ replyTo: "reply_to", scheduledAt: "scheduled_at", topicId: "topic_id", idempotencyKey: "Idempotency-Key" },
}

/** The same in an email of a batch. */
export function resendNamesAt(index: number): FieldNames {
  const all = { ...Object.fromEntries(Object.keys(ResendEmail.shape).map((name) => [name, name])), ...resendNames }
  return Object.fromEntries(Object.entries(all).map(([ours, name]) => [ours, `${index}/${name}`]))
}

/** The body of `POST /v1/emails`. */
export function fromResend(email: ResendEmail, idempotencyKey?: string): Record<string, unknown> {
  const { from, to, cc, bcc, subject = "", html, text, headers, template } = email
  return given({
    ...{ from, to, cc, bcc, subject, html, text, headers, idempotencyKey },
    replyTo: email.reply_to?.[0],
    attachments: email.attachments?.map((file) =>
      given({
        filename: file.filename ?? "attachment",
        content: file.content ?? "",
        contentType: file.content_type ?? "application/octet-stream",
        contentId: file.content_id,
        disposition: file.content_id === undefined ? undefined : "inline",
      }),
    ),
    tags: email.tags && Object.fromEntries(email.tags.map(({ name, value }) => [name, value])),
    scheduledAt: email.scheduled_at,
    template: template && { ...templateRef(template.id), variables: template.variables ?? {} },
    topicId: email.topic_id,
  })
}
