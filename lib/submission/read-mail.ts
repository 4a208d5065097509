import PostalMime, { addressParser, decodeWords, type Attachment, type Mailbox } from "postal-mime"
import { headerKind } from "@/lib/emails/header-rules"
import { attachmentsOf, bodyOf, mimePartsOf } from "@/lib/platform/mime/mime-parts"
import { mimePartsMax } from "@/lib/emails/message-rules"
import { DocumentRefused, isSmallMessage, readApart } from "@/lib/platform/documents/read-apart"

/** What a message (RFC 5322) says of itself. */
export type SubmittedMail = {
  headers: { name: string; value: string }[]
  from: Mailbox[]
  to: Mailbox[]
  cc: Mailbox[]
  replyTo: Mailbox[]
  html?: string
  text?: string
  attachments: SubmittedFile[]
}

export type SubmittedFile = {
  filename: string
  contentType: string
  contentId?: string
  disposition: "attachment" | "inline"
  /** Base64. */
  content: string
}

const nestingMax = 50

/**
 * Reads a message; a large one in a process of its own.
 * @throws DocumentRefused with a sentence for whoever wrote it; serviceUnavailable as `readApart`
 */
export function readMail(raw: Buffer, organizationId: string): Promise<SubmittedMail> {
  return isSmallMessage(raw) ? parseMail(raw) : readApart<SubmittedMail>("submitted-mail", raw, organizationId)
}

/** @throws DocumentRefused */
export async function parseMail(raw: Buffer): Promise<SubmittedMail> {
  const mail = await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: nestingMax }).catch(() => {
    throw new DocumentRefused(`The message has more than ${nestingMax} levels of parts, or too large a header.`)
  })
  const all = (key: string) => mail.headers.filter((header) => header.key === key).map(({ value }) => value)
  refuseSealed(all("content-type")[0] ?? "")
  refuseRepeated(mail.headers)
  if (mail.attachments.length > mimePartsMax) throw new DocumentRefused(`A message has at most ${mimePartsMax} parts.`)
  const mailboxes = (key: string) => all(key).flatMap(mailboxesOf)
  return {
    headers: mail.headers.map(({ originalKey, value }) => ({
      name: originalKey,
      value: decodedValue(originalKey, value),
    })),
    from: mailboxes("from"),
    to: mailboxes("to"),
    cc: mailboxes("cc"),
    replyTo: mailboxes("reply-to"),
    ...(mail.html === undefined ? {} : { html: withoutLineEnd(mail.html) }),
    ...(mail.text === undefined ? {} : { text: withoutLineEnd(mail.text) }),
    attachments: withCharsets(mail.attachments.map(attachmentOf), raw),
  }
}

/** Its parts are written again with our headers, so that nobody could read or check it any more. */
function refuseSealed(contentType: string): void {
  if (/^\s*(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-mime)\b/i.test(contentType))
    throw new DocumentRefused("A message that is signed or encrypted as a whole (S/MIME, PGP) cannot be sent.")
}

const singleHeaders = new Set(["from", "reply-to", "subject", "message-id"])

/** Two readers of the same message would each believe another one (RFC 5322 section 3.6 allows one). */
function refuseRepeated(headers: readonly { key: string }[]): void {
  const seen = new Set<string>()
  for (const { key } of headers) {
    if (singleHeaders.has(key) && seen.has(key)) throw new DocumentRefused(`The header ${key} is given twice.`)
    seen.add(key)
  }
}

/** A name may hold a comma or a quote once its encoded words are decoded, so addresses are read before that. */
function decodedValue(name: string, value: string): string {
  return headerKind(name) === "addresses" ? mailboxesOf(value).map(mailboxText).join(", ") : oneLine(decodeWords(value))
}

function mailboxesOf(value: string): Mailbox[] {
  return addressParser(oneLine(value), { flatten: true }) as Mailbox[]
}

/** As the API takes it. */
export function mailboxText({ name, address }: Pick<Mailbox, "name" | "address">): string {
  return name ? `"${name.replace(/["\\]/g, "\\$&")}" <${address}>` : address
}

function oneLine(value: string): string {
  return value.replace(/[\t\r\n]+/g, " ").trim()
}

/** Programs end a body with a line end that its author did not write, and the one before a boundary belongs to that (RFC 2046). */
function withoutLineEnd(body: string): string {
  let end = body.length
  while (body[end - 1] === "\n") end -= 1
  return body.slice(0, end)
}

function attachmentOf(attachment: Attachment, at: number): SubmittedFile {
  const { filename, mimeType, method, contentId, disposition, related, content } = attachment
  return {
    filename: filename?.trim() || `attachment-${at + 1}${mimeType === "message/rfc822" ? ".eml" : ""}`,
    // A calendar program acts on the method, and what was read has been made UTF-8.
    contentType: method === undefined ? mimeType : `${mimeType}; method=${method}; charset=utf-8`,
    ...(contentId ? { contentId: contentId.replace(/^<|>$/g, "") } : {}),
    disposition: disposition === "inline" || (related && disposition === null) ? "inline" : "attachment",
    content: bytesOf(content).toString("base64"),
  }
}

/** The octets of a text file are sent as they came, and mean nothing without their character set, which postal-mime does not tell. */
function withCharsets(files: SubmittedFile[], raw: Buffer): SubmittedFile[] {
  if (!files.some(isText)) return files
  const parts = attachmentsOf(mimePartsOf(raw)).filter(({ part }) => namesCharset(part.params.get("charset")))
  return files.map((file) => {
    if (!isText(file)) return file
    const octets = Buffer.from(file.content, "base64")
    const own = parts.find(
      ({ type, part }) => type === file.contentType && bodyOf(part, octets.length + 1).equals(octets),
    )
    return own ? { ...file, contentType: `${file.contentType}; charset=${own.part.params.get("charset")}` } : file
  })
}

function isText({ contentType }: SubmittedFile): boolean {
  return /^text\/[^;]*$/.test(contentType)
}

/** One that says more than that it is UTF-8. */
function namesCharset(charset = ""): boolean {
  return /^[\w.-]{1,40}$/.test(charset) && !/^(?:utf-?8|us-ascii)$/i.test(charset)
}

function bytesOf(content: Attachment["content"]): Buffer {
  return typeof content === "string" ? Buffer.from(content) : Buffer.from(content as ArrayBuffer)
}
