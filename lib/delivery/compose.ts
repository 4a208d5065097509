import { randomBytes } from "node:crypto"
import MailComposer from "nodemailer/lib/mail-composer"

/** One mailbox. `address` is the wire form that `parseAddress` made. */
export type Mailbox = { name?: string; address: string }

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
}

/**
 * The message as the octets that are stored, signed and sent: CRLF only, 7-bit only, no Bcc and no Return-Path. The
 * boundary is random, so two calls differ; keep the result and send that on every try.
 */
export async function compose(message: ComposeInput): Promise<Buffer> {
  const composer = new MailComposer({
    disableFileAccess: true,
    disableUrlAccess: true,
    // Quoted-printable and base64 text never hold "=_" (RFC 2045 section 6.7), so no encoded body holds the boundary.
    boundaryPrefix: "=_",
    baseBoundary: randomBytes(16).toString("hex"),
    normalizeHeaderKey: spelledAsGiven(message.headers),
    messageId: message.messageId,
    date: message.date,
    from: mailbox(message.from),
    to: message.to.map(mailbox),
    cc: message.cc.map(mailbox),
    replyTo: message.replyTo && mailbox(message.replyTo),
    text: message.text && withCrLf(message.text),
    html: message.html && withCrLf(message.html),
    attachments: message.attachments.map(attachmentPart),
    headers: headersOf(message),
  })
  return composer.compile().build()
}

type HeaderField = { key: string; value: string | { prepared: true; value: string } }

function headersOf(message: ComposeInput): HeaderField[] {
  const fields: HeaderField[] = message.headers.map(({ name, value }) => ({ key: name, value: withoutBreaks(value) }))
  fields.push({ key: "Subject", value: subjectValue(message.subject) })
  if (message.unsubscribe) fields.push(...unsubscribeFields(message.unsubscribe))
  if (message.listId) fields.push({ key: "List-Id", value: withoutBreaks(message.listId) })
  if (message.feedbackId) fields.push({ key: "Feedback-ID", value: withoutBreaks(message.feedbackId) })
  return fields
}

/** Longest run without a space that is left as it is; a line may have 998 octets with its name (RFC 5322 2.1.1). */
const unbrokenCharsMax = 900

function subjectValue(subject: string): HeaderField["value"] {
  const longest = Math.max(...subject.split(" ").map((word) => word.length))
  return longest > unbrokenCharsMax ? prepared(encodedWords(subject)) : withoutBreaks(subject)
}

/** Encoded words of whole characters, at most 75 columns each, one a line (RFC 2047 section 2). */
function encodedWords(text: string): string {
  const words: string[] = []
  let piece = ""
  for (const character of text) {
    if (Buffer.byteLength(piece + character) > 42) {
      words.push(piece)
      piece = ""
    }
    piece += character
  }
  words.push(piece)
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join("\r\n ")
}

/** One address a line and never folded inside, because folded ones are read wrongly in practice. */
function unsubscribeFields({ url, mailto, oneClick }: NonNullable<ComposeInput["unsubscribe"]>): HeaderField[] {
  const targets = mailto === undefined ? [url] : [url, mailto]
  const list: HeaderField = { key: "List-Unsubscribe", value: prepared(targets.map(bracketed).join(",\r\n ")) }
  if (!oneClick || !url.startsWith("https://")) return [list]
  return [list, { key: "List-Unsubscribe-Post", value: prepared("List-Unsubscribe=One-Click") }]
}

function bracketed(target: string): string {
  if (!/^[!-;=?-~]{1,900}$/.test(target))
    throw new TypeError("An unsubscribe target is an ASCII URI of at most 900 octets.")
  return `<${target}>`
}

function prepared(value: string): { prepared: true; value: string } {
  return { prepared: true, value }
}

/** The last guard behind the rules of lib/emails: nothing that reaches a header can end its line. */
function withoutBreaks(value: string): string {
  return value.replace(/[\r\n\0\u2028\u2029]+/g, " ")
}

function mailbox({ name, address }: Mailbox): { name: string; address: string } {
  return { name: withoutBreaks(name ?? ""), address }
}

function withCrLf(body: string): string {
  return body.replace(/\r\n|\r|\n/g, "\r\n")
}

function attachmentPart(attachment: ComposeAttachment) {
  return {
    filename: withoutBreaks(attachment.filename),
    contentType: encodableType(attachment.contentType),
    content: attachment.content,
    contentTransferEncoding: "base64",
    contentDisposition: attachment.disposition,
    cid: attachment.contentId,
  }
}

/** A message/* part may not be encoded (RFC 2046 section 5.2.1), and raw it may hold 8-bit text: it goes as a file. */
function encodableType(contentType: string): string {
  return /^(message|multipart)\//i.test(contentType) ? "application/octet-stream" : contentType
}

function spelledAsGiven(headers: ComposeInput["headers"]): (key: string) => string {
  const spellings = new Map(headers.map(({ name }) => [name.toLowerCase(), name]))
  return (key) => spellings.get(key.toLowerCase()) ?? key
}
