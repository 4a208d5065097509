import type { FieldNames } from "@/lib/faces/call"
import { given, labelsOf, mailbox, templateRef } from "@/lib/faces/fields"
import type { FaceSend } from "@/lib/faces/send-each"
import type { SendGridMail } from "@/lib/faces/sendgrid/schema"
import { substituted } from "@/lib/faces/substitute"

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
