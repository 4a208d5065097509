import { parseAddress } from "@/lib/addresses/address"
import type { FieldNames } from "@/lib/faces/call"
import { addressList, given, labelsOf, templateRef } from "@/lib/faces/fields"
import type { MailgunMessage } from "@/lib/faces/mailgun/schema"
import type { FaceSend } from "@/lib/faces/send-each"
import { substituted } from "@/lib/faces/substitute"

/** The names of our fields. */
export const mailgunNames: FieldNames = {
  ...{ replyTo: "h:Reply-To", attachments: "attachment", tags: "o:tag", metadata: "v", headers: "h" },
  ...{ scheduledAt: "o:deliverytime", trackingSettings: "o:tracking", tls: "o:require-tls", testMode: "o:testmode" },
}

export function toOf({ to }: MailgunMessage): string[] {
  return to.flatMap(addressList)
}

/** The body of `POST /v1/emails` for these recipients, with the values that the placeholders have for the first of them. */
export function fromMailgun(message: MailgunMessage, to: readonly string[]): FaceSend {
  const { template, h = {}, v } = message
  const values = valuesFor(message, to[0] ?? "")
  const fill = (text: string | undefined, name: string) => text && substituted(text, values, `/${name}`)
  const { replyTo, headers } = headersOf(h, message.from)
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value, `h:${name}`)] as const)
  const [opens, clicks] = [message["o:tracking-opens"], message["o:tracking-clicks"]]
  const tracking = given({
    openTracking: opens ?? message["o:tracking"],
    clickTracking: clicks ?? message["o:tracking"],
  })
  return given({
    from: message.from,
    to,
    cc: message.cc?.flatMap(addressList),
    bcc: message.bcc?.flatMap(addressList),
    replyTo: fill(replyTo, "h:Reply-To"),
    subject: fill(message.subject, "subject") ?? (template === undefined ? "" : undefined),
    text: fill(message.text, "text"),
    html: fill(message.html, "html"),
    attachments: message.attachment || message.inline ? attachmentsOf(message) : undefined,
    template:
      template === undefined ? undefined : { ...templateRef(template), variables: message["t:variables"] ?? {} },
    headers: filled.length > 0 ? Object.fromEntries(filled) : undefined,
    metadata: v && Object.fromEntries(Object.entries(v).map(([name, value]) => [name, fill(value, `v:${name}`)])),
    tags: message["o:tag"] && labelsOf(message["o:tag"]),
    scheduledAt: timeOf(message["o:deliverytime"]),
    testMode: message["o:testmode"],
    tls: message["o:require-tls"] ? (message["o:skip-verification"] ? "required" : "verified") : undefined,
    trackingSettings: Object.keys(tracking).length > 0 ? tracking : undefined,
  })
}

function valuesFor(message: MailgunMessage, recipient: string): Record<string, string> {
  const all = message["recipient-variables"]
  const wanted = addressOf(recipient)
  const own = all && Object.entries(all).find(([address]) => addressOf(address) === wanted)?.[1]
  return Object.fromEntries(Object.entries(own ?? {}).map(([name, value]) => [`%recipient.${name}%`, value]))
}

function addressOf(text: string): string {
  const parsed = parseAddress(text)
  return parsed.ok ? parsed.canonical : text
}

function headersOf(given: Readonly<Record<string, string>>, from: string) {
  const headers: Record<string, string> = {}
  let replyTo: string | undefined
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    const left = lower === "list-unsubscribe" ? value.replace(/(^|,)\s*<%tag_unsubscribe_email%>/, "") : value
    if (lower === "reply-to") replyTo = value
    else if (lower === "sender" && addressOf(value) === addressOf(from)) continue
    else if (left.trim() !== "") headers[name] = left.trim()
  }
  return { headers, replyTo }
}

function attachmentsOf({ attachment = [], inline = [] }: MailgunMessage) {
  return [...attachment, ...inline.map((file) => ({ ...file, contentId: file.filename, disposition: "inline" }))]
}

/** What is no time is left to our own check. */
function timeOf(text: string | undefined): string | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}
