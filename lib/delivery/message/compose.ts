import { randomUUID } from "node:crypto"
import { parseAddress } from "@/lib/addresses/address"
import { encodeText } from "@/lib/delivery/message/mime-bodies"
import {
  mailboxField,
  parameter,
  readyField,
  textField,
  tokensField,
  withoutBreaks,
  type Mailbox,
} from "@/lib/delivery/message/mime-fields"
import { referenceHeader } from "@/lib/delivery/message/reference"
import { base64Lines } from "@/lib/emails/base64-lines"
import { splitAddresses, headerKind } from "@/lib/emails/header-rules"
import { presentBody } from "@/lib/emails/message-rules"

export type { Mailbox } from "@/lib/delivery/message/mime-fields"

export type ComposeAttachment = {
  filename: string
  contentType: string
  content: Buffer
  contentId?: string
  disposition: "attachment" | "inline"
}

/** A message as plain data, checked already by lib/emails/message-rules and lib/domains/address. */
export type ComposeInput = {
  /** With its angle brackets. */
  messageId: string
  date: Date
  from: Mailbox
  to: readonly Mailbox[]
  cc: readonly Mailbox[]
  replyTo?: Mailbox
  subject: string
  text?: string
  html?: string
  attachments: readonly ComposeAttachment[]
  headers: readonly { name: string; value: string }[]
  /** `oneClick` adds List-Unsubscribe-Post (RFC 8058), which only an https address may have. */
  unsubscribe?: { url: string; mailto?: string; oneClick: boolean }
  /** The whole value, as in `Release notes <topic-id.acme.example>` (RFC 2919). */
  listId?: string
  feedbackId?: string
  /** Names the email in what comes back. */
  reference?: string
}

/**
 * The message as the octets that are stored, signed and sent: CRLF only, 7-bit only, no Bcc and no Return-Path. The
 * boundary is random, so two calls differ: store the result and send it on every attempt.
 * Rejects with TypeError for an invalid address, header name or unsubscribe target.
 */
export async function compose(message: ComposeInput): Promise<Buffer> {
  const text = `${fieldsOf(message)}${readyField("MIME-Version", "1.0")}${wholeOf(message)}`
  return Buffer.from(text.endsWith("\r\n") ? text : `${text}\r\n`, "latin1")
}

function fieldsOf(message: ComposeInput): string {
  return [
    mailboxField("From", [message.from]),
    message.to.length > 0 ? mailboxField("To", message.to) : "",
    message.cc.length > 0 ? mailboxField("Cc", message.cc) : "",
    message.replyTo ? mailboxField("Reply-To", [message.replyTo]) : "",
    textField("Subject", message.subject),
    readyField("Date", message.date.toUTCString().replace("GMT", "+0000")),
    readyField("Message-ID", withoutBreaks(message.messageId)),
    ...message.headers.map(({ name, value }) => callersField(name, value)),
    message.unsubscribe ? unsubscribeFields(message.unsubscribe) : "",
    message.listId ? textField("List-Id", message.listId) : "",
    message.feedbackId ? textField("Feedback-ID", message.feedbackId) : "",
    message.reference ? readyField(referenceHeader, message.reference) : "",
  ].join("")
}

/** Encoded words are for free text alone: a program that follows a URI or a message id does not decode it. */
function callersField(name: string, value: string): string {
  const kind = headerKind(name)
  if (kind === "text") return textField(name, value)
  // Between message ids and URIs any white space is one space (RFC 5322 section 3.6.4), and one space is where a line may fold.
  if (kind !== "addresses") return tokensField(name, value.trim().replace(/ +/g, " "))
  return mailboxField(name, splitAddresses(value).map(mailboxOf))
}

function mailboxOf(text: string): Mailbox {
  const parsed = parseAddress(text)
  if (!parsed.ok) throw new TypeError(`An address of a header is invalid: ${parsed.reason}`)
  return parsed.name ? { name: parsed.name, address: parsed.address } : { address: parsed.address }
}

/** One address per line and never folded inside, because some readers get folded addresses wrong. */
function unsubscribeFields({ url, mailto, oneClick }: NonNullable<ComposeInput["unsubscribe"]>): string {
  const targets = mailto === undefined ? [url] : [url, mailto]
  const list = readyField("List-Unsubscribe", targets.map(bracketed).join(",\r\n "))
  if (!oneClick || !url.startsWith("https://")) return list
  return list + readyField("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
}

function bracketed(target: string): string {
  if (!/^[!-;=?-~]{1,900}$/.test(target))
    throw new TypeError("An unsubscribe target is an ASCII URI of at most 900 octets.")
  return `<${target}>`
}

/** A part of a message: its fields, an empty line, its body. */
type Part = string

/** mixed( alternative( text, related( html, what it shows ) ), attachments ), without the levels that hold one part. */
function wholeOf({ attachments, ...given }: ComposeInput): Part {
  const [text, html] = [presentBody(given.text), presentBody(given.html)]
  const shown = html ? attachments.filter(({ contentId }) => contentId) : []
  const beside = attachments.filter((attachment) => !shown.includes(attachment))
  const markup = html ? [group("related", [textPart("html", html), ...shown.map(attachmentPart)])] : []
  const bodies = text || !html ? [textPart("plain", text ?? ""), ...markup] : markup
  return group("mixed", [group("alternative", bodies), ...beside.map(attachmentPart)])
}

function group(subtype: "mixed" | "alternative" | "related", parts: readonly Part[]): Part {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  // Quoted-printable and base64 text never hold "=_" (RFC 2045 section 6.7), and the rest cannot be guessed.
  const boundary = `=_${randomUUID()}`
  const head = readyField("Content-Type", `multipart/${subtype};\r\n boundary="${boundary}"`)
  return `${head}\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`
}

function textPart(subtype: "plain" | "html", content: string): Part {
  const { encoding, body } = encodeText(content)
  return (
    readyField("Content-Type", `text/${subtype}; charset=utf-8`) +
    readyField("Content-Transfer-Encoding", encoding) +
    `\r\n${body}`
  )
}

function attachmentPart({ filename, contentType, content, contentId, disposition }: ComposeAttachment): Part {
  const type = encodableType(withoutBreaks(contentType))
  const named = /;\s*name\s*=/i.test(type) ? type : `${type}${parameter("name", filename)}`
  return (
    readyField("Content-Type", named) +
    readyField("Content-Transfer-Encoding", "base64") +
    (contentId ? readyField("Content-ID", `<${withoutBreaks(contentId)}>`) : "") +
    readyField("Content-Disposition", `${disposition}${parameter("filename", filename)}`) +
    `\r\n${base64Lines(content)}`
  )
}

/** A message/* part may not be encoded (RFC 2046 section 5.2.1), and unencoded it may hold 8-bit text, so it is sent as a plain file. */
function encodableType(contentType: string): string {
  return /^(message|multipart)\//i.test(contentType) ? "application/octet-stream" : contentType
}
