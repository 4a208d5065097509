import type { z } from "zod"
import { eventsQuery, MailgunMessage } from "@/lib/faces/mailgun/schema"
import { PostmarkEmail, PostmarkTemplateEmail } from "@/lib/faces/postmark/schema"
import { ResendBroadcast } from "@/lib/faces/resend/broadcasts"
import { ResendContact } from "@/lib/faces/resend/contacts"
import { ResendDomain } from "@/lib/faces/resend/domains"
import { ResendEmail } from "@/lib/faces/resend/emails"
import { ResendTemplate } from "@/lib/faces/resend/templates"
import { ResendWebhook } from "@/lib/faces/resend/webhooks"
import { SendGridMail, SendGridPersonalization } from "@/lib/faces/sendgrid/schema"
import type { FaceName } from "@/lib/platform/env/fields"

type Shape = Record<string, z.ZodType>

/** What each face takes, by the names of the tables in the guide. */
const shapes: Record<FaceName, readonly (readonly [title: string, shape: Shape])[]> = {
  resend: [
    ["An email", ResendEmail.shape],
    ["A contact", ResendContact.shape],
    ["A template", ResendTemplate.shape],
    ["A broadcast", ResendBroadcast.shape],
    ["A domain", ResendDomain.shape],
    ["A webhook", ResendWebhook.shape],
  ],
  sendgrid: [
    ["An email", SendGridMail.shape],
    ["A personalization", SendGridPersonalization.shape],
  ],
  postmark: [
    ["An email", { ...PostmarkEmail.shape, ...PostmarkTemplateEmail.shape, Subject: PostmarkEmail.shape.Subject }],
  ],
  mailgun: [
    ["An email", MailgunMessage.shape],
    ["Events", eventsQuery],
  ],
}

/** Prefixes of fields, which the schema has as one object. */
const prefixes: Record<string, string> = { h: "h:…", v: "v:…" }

/** The tables of a face in Markdown: what each field becomes here, and which are refused or have no effect. */
export function fieldTables(face: FaceName): string {
  return shapes[face].map(([title, shape]) => tableOf(title, shape)).join("\n\n")
}

function tableOf(title: string, shape: Shape): string {
  const rows = Object.entries(shape).map(([name, { description = "" }]) => {
    const field = prefixes[name] ?? name
    return `| \`${field}\` | ${description.replaceAll("|", "\\|")} |`
  })
  return [`| ${title} | Here |`, "| --- | --- |", ...rows].join("\n")
}
