import { randomUUID } from "node:crypto"
import { parseAddress } from "@/lib/addresses/address"
import {
  type Mailbox,
  mailboxField,
  parameter,
  readyField,
  textField,
  tokensField,
  withoutBreaks,
} from "@/lib/delivery/message/mime-fields"
import { referenceHeader } from "@/lib/delivery/message/proven-ids"
import { sameAgain } from "@/lib/delivery/message/dkim"
import { base64Lines } from "@/lib/emails/content/cuts"
import { headerKind, splitAddresses } from "@/lib/emails/header-rules"
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

// Bodies

export type EncodedBody = { encoding: "7bit" | "quoted-printable" | "base64"; body: string }

/** Longest encoded line (RFC 2045 section 6.7). */
const columnsMax = 76

/** Text with CRLF line breaks in the encoding that keeps it readable, or the shorter one where nothing does. */
const encodeText: (text: string) => EncodedBody = sameAgain(encode, (one, other) => one === other, {
  least: 8 * 1024,
  most: 1024 * 1024,
})

function encode(text: string): EncodedBody {
  const lines = withCrlf(text)
  if (isSevenBit(lines)) return { encoding: "7bit", body: lines }
  const bytes = Buffer.from(lines)
  return prefersBase64(bytes)
    ? { encoding: "base64", body: base64Lines(bytes) }
    : { encoding: "quoted-printable", body: quotedPrintable(bytes) }
}

/** Stored text nearly always has no CR at all, and is done much faster then. */
function withCrlf(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n|\r|\n/g, "\r\n") : text.replaceAll("\n", "\r\n")
}

/** Short ASCII lines that no server on the way changes: mbox writers turn `From` into `>From`, broken servers lose dots. */
function isSevenBit(text: string): boolean {
  return /^[\t\r\n -~]*$/.test(text) && !/^(?:[^\r\n]{77}|From |\.)/m.test(text)
}

/** Quoted-printable costs two more octets for each odd one, base64 a third of everything. */
function prefersBase64(bytes: Buffer): boolean {
  let odd = 0
  for (const byte of bytes) if (byte > 0x7e) odd += 1
  return odd * 6 > bytes.length
}

const hexDigits = Buffer.from("0123456789ABCDEF")
const [tab, lf, cr, space, equals, dot, upperF] = [0x09, 0x0a, 0x0d, 0x20, 0x3d, 0x2e, 0x46]

/** By octet: printable, no space and no equals sign. */
const visible = Array.from({ length: 256 }, (_, byte) => byte > 0x20 && byte < 0x7f && byte !== equals)

/** RFC 2045 section 6.7 for UTF-8 with CRLF line breaks. A line never begins with a dot or with `From `. */
export function quotedPrintable(bytes: Buffer): string {
  // Three octets for each, and a soft break of three for every 60 or more of them.
  const out = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil(bytes.length / 20) * 3 + 3)
  let length = 0
  let column = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (column > 0 && column < columnsMax - 1 && (visible[byte] || (byte === space && visible[bytes[at + 1] ?? 0]))) {
      out[length++] = byte
      column += 1
      continue
    }
    if (byte === cr && bytes[at + 1] === lf) {
      out[length++] = cr
      out[length++] = lf
      column = 0
      at += 1
      continue
    }
    const ends = at + 1 === bytes.length || (bytes[at + 1] === cr && bytes[at + 2] === lf)
    if (column + widthOf(bytes, at, column, ends) > columnsMax - (ends ? 0 : 1)) {
      out[length++] = equals
      out[length++] = cr
      out[length++] = lf
      column = 0
    }
    if (needsNoEncoding(bytes, at, column, ends)) {
      out[length++] = byte
      column += 1
    } else {
      out[length++] = equals
      out[length++] = hexDigits[byte >> 4] ?? 0
      out[length++] = hexDigits[byte & 15] ?? 0
      column += 3
    }
  }
  return out.toString("latin1", 0, length)
}

/** Columns that must stay on one line, so that no character is split. */
function widthOf(bytes: Buffer, at: number, column: number, ends: boolean): number {
  const byte = bytes[at] ?? 0
  if (byte < 0x80) return needsNoEncoding(bytes, at, column, ends) ? 1 : 3
  // The octets after the first fit, because the first has made room for them.
  if (byte < 0xc0) return 0
  return byte < 0xe0 ? 6 : byte < 0xf0 ? 9 : 12
}

function needsNoEncoding(bytes: Buffer, at: number, column: number, ends: boolean): boolean {
  const byte = bytes[at] ?? 0
  if (byte === space || byte === tab) return !ends
  if (!visible[byte]) return false
  if (column > 0) return true
  return byte !== dot && !(byte === upperF && bytes.toString("latin1", at, at + 5) === "From ")
}
