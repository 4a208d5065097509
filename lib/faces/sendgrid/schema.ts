import { z } from "zod"
import {
  withoutEffect,
  refused,
  given,
  labelsOf,
  mailbox,
  templateRef,
  type FieldNames,
  type FaceSend,
} from "@/lib/faces/face"
import { substituted } from "@/lib/faces/substitute"

const Mailbox = z.strictObject({ email: z.string(), name: z.string().optional() })
const mailboxes = z.array(Mailbox).max(1_000)
const texts = z.record(z.string(), z.string())
/** The last second of the year 9999: what is larger was given in milliseconds. */
const secondsMax = 253_402_300_799
const sendAt = z
  .int()
  .min(0)
  .max(secondsMax, "Must be Unix seconds, not milliseconds.")
  .optional()
  .describe("`scheduledAt`, in Unix seconds.")

const enable = { enable: z.boolean().optional() }

export const SendGridPersonalization = z.strictObject({
  to: mailboxes
    .min(1, "Must name a recipient.")
    .describe("`to`. Several addresses get a message each, unless there is `cc` or `bcc`: then all share one."),
  cc: mailboxes.optional().describe("`cc`."),
  bcc: mailboxes.optional().describe("`bcc`."),
  from: Mailbox.optional().describe("`from`, instead of that of the request."),
  subject: z.string().optional().describe("`subject`, instead of that of the request."),
  headers: texts.optional().describe("`headers`, beside those of the request."),
  substitutions: texts
    .optional()
    .describe(
      "Texts that are replaced in subject and bodies, as they are; none of them is escaped. The names have at most 10,000 characters together.",
    ),
  dynamic_template_data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("`template.variables`: texts and numbers. Objects and lists are refused."),
  custom_args: texts.optional().describe("`metadata`, beside that of the request."),
  send_at: sendAt,
})

export const SendGridMail = z.strictObject({
  personalizations: z
    .array(SendGridPersonalization)
    .min(1, "Must hold a personalization.")
    .max(1_000)
    .describe("One email each. An invalid one keeps all from being sent."),
  from: Mailbox.describe("`from`."),
  reply_to: Mailbox.optional().describe("`replyTo`."),
  reply_to_list: z.array(Mailbox).max(1, "May hold one address.").optional().describe("`replyTo`: one address."),
  subject: z
    .string()
    .optional()
    .describe("`subject`. With `template_id` it is refused: the template gives the subject."),
  content: z
    .array(z.strictObject({ type: z.enum(["text/plain", "text/html"]), value: z.string() }))
    .max(2)
    .optional()
    .describe("`text` and `html`. Other types are refused."),
  attachments: z
    .array(
      z.strictObject({
        content: z.string(),
        filename: z.string(),
        type: z.string().default("application/octet-stream"),
        disposition: z.enum(["attachment", "inline"]).optional(),
        content_id: z.string().optional(),
        // As its SDK for Node spells it.
        contentId: z.string().optional(),
      }),
    )
    .optional()
    .describe("`attachments`."),
  template_id: z
    .string()
    .optional()
    .describe(
      "`template`: `d-` and a `tpl_` id or the name of a template. Its SDK for Node sends data only with ids that begin so.",
    ),
  headers: texts.optional().describe("`headers`."),
  categories: z.array(z.string()).max(10).optional().describe("`tags`, one for each, without a value."),
  custom_args: texts.optional().describe("`metadata`."),
  send_at: sendAt,
  asm: z
    .strictObject({
      group_id: z.string(),
      groups_to_display: withoutEffect(z.array(z.unknown()), "the page shows public topics."),
    })
    .optional()
    .describe("`topicId`: `group_id` is a `top_` id. `groups_to_display` has no effect: the page shows public topics."),
  mail_settings: z
    .strictObject({ sandbox_mode: z.strictObject(enable).optional() })
    .optional()
    .describe("`testMode` by `sandbox_mode`. The others are refused."),
  tracking_settings: z
    .strictObject({
      click_tracking: z.strictObject({ ...enable, enable_text: z.literal(false).optional() }).optional(),
      open_tracking: z.strictObject(enable).optional(),
      subscription_tracking: z.strictObject(enable).optional(),
    })
    .optional()
    .describe(
      "`trackingSettings`. Links in the text body are never changed; own texts for the link to unsubscribe and `ganalytics` are refused.",
    ),
  ip_pool_name: withoutEffect(z.string(), "the installation decides from which address email leaves."),
  batch_id: refused("cancel scheduled email by its id, with `DELETE /v1/emails/{emailId}`."),
  sections: refused("replace texts with `substitutions`."),
})

export type SendGridMail = z.output<typeof SendGridMail>

/** The names of our fields in the email of one of the personalizations. */
export const sendGridNames = (index: number): FieldNames => ({
  ...{ to: `personalizations/${index}/to`, cc: `personalizations/${index}/cc`, bcc: `personalizations/${index}/bcc` },
  ...{ replyTo: "reply_to", text: "content", html: "content", tags: "categories", metadata: "custom_args" },
  ...{
    scheduledAt: "send_at",
    topicId: "asm/group_id",
    template: "template_id",
    trackingSettings: "tracking_settings",
  },
})

/** The body of `POST /v1/emails` for one of the personalizations. */
export function fromSendGrid(mail: SendGridMail, index: number, now: Date): FaceSend {
  const one = mail.personalizations[index]
  if (!one) throw new Error(`There is no personalization ${index}.`)
  const { template_id: template, mail_settings: settings } = mail
  const fill = (text: string | undefined, pointer: string) =>
    text && substituted(text, one.substitutions ?? {}, pointer)
  const contentOf = (type: string) => {
    const at = mail.content?.findIndex((content) => content.type === type) ?? -1
    return fill(mail.content?.[at]?.value, `/content/${at}/value`)
  }
  const replyTo = mail.reply_to ?? mail.reply_to_list?.[0]
  const seconds = one.send_at ?? mail.send_at
  return given({
    from: mailbox(one.from ?? mail.from),
    to: one.to.map(mailbox),
    cc: one.cc?.map(mailbox),
    bcc: one.bcc?.map(mailbox),
    replyTo: replyTo && mailbox(replyTo),
    subject: fill(one.subject ?? mail.subject, "/subject") ?? (template === undefined ? "" : undefined),
    text: contentOf("text/plain"),
    html: contentOf("text/html"),
    attachments: mail.attachments?.map((file) =>
      given({
        ...{
          filename: file.filename,
          content: file.content,
          contentType: file.type,
          contentId: file.content_id ?? file.contentId,
        },
        disposition: file.disposition,
      }),
    ),
    template:
      template === undefined
        ? undefined
        : { ...templateRef(template.replace(/^d-/, "")), variables: one.dynamic_template_data ?? {} },
    headers: mail.headers || one.headers ? { ...mail.headers, ...one.headers } : undefined,
    tags: mail.categories && labelsOf(mail.categories),
    metadata: mail.custom_args || one.custom_args ? { ...mail.custom_args, ...one.custom_args } : undefined,
    scheduledAt: timeOf(seconds, now),
    topicId: mail.asm?.group_id,
    testMode: settings?.sandbox_mode?.enable,
    trackingSettings: trackingOf(mail.tracking_settings),
  })
}

/** A time that has passed means now. */
function timeOf(seconds: number | undefined, now: Date): string | undefined {
  return seconds === undefined || seconds * 1000 <= now.getTime() ? undefined : new Date(seconds * 1000).toISOString()
}

function trackingOf(tracking: SendGridMail["tracking_settings"]) {
  return (
    tracking &&
    given({
      openTracking: tracking.open_tracking?.enable,
      clickTracking: tracking.click_tracking?.enable,
      unsubscribeTracking: tracking.subscription_tracking?.enable,
    })
  )
}
