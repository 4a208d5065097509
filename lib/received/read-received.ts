import { parseAddress } from "@/lib/addresses/address"
import { plusOf } from "@/lib/inbound/route-rules"
import { attachmentsOf, bodyOf, mimePartsOf, plainWords, textOf, type MimePart } from "@/lib/platform/mime/mime-parts"
import { cutText } from "@/lib/platform/format"
import { readReturnedMail } from "@/lib/returns/read-returned-mail"
import { mailboxIn, statusPart } from "@/lib/returns/delivery-status"

/** A mail that came by a route, as its header and its text say. Everything in it was written by strangers. */
type ReadEmail = {
  from: string | null
  fromName: string | null
  subject: string
  messageId: string | null
  /** The message ids that it answers, at most ten. */
  answers: string[]
  autoSubmitted: boolean
  plus: string | null
  attachmentCount: number
}

/** Text is shown up to here; the rest is in the message as it arrived. */
const textBytesMax = 256 * 1024
const nameCharsMax = 200
const valueCharsMax = 16_000
/** So much white space at its start, and a text is empty. */
const blankBytesMax = 16 * 1024
const textPartsMax = 20
/** Of one attachment; a message has at most 25 MiB. */
const attachmentBytesMax = 25 * 2 ** 20

type Arrived = { raw: Uint8Array; mailFrom: string; rcptTo: string; pattern: string | null }

/** Those that are being read: each is taken apart once, whatever is asked of it. */
const messages = new WeakMap<Uint8Array, MimePart>()

function messageOf(raw: Uint8Array): MimePart {
  const message = messages.get(raw) ?? mimePartsOf(raw)
  messages.set(raw, message)
  return message
}

/** What is kept of a mail beside its bytes. Never throws, and its work is bounded whatever the bytes are. */
export function readEmail({ raw, mailFrom, rcptTo, pattern }: Arrived): ReadEmail {
  const message = messageOf(raw)
  const { from, subject, messageId, inReplyTo, autoSubmitted, fromNull } = readReturnedMail(raw, {
    ...{ door: "route", mailFrom, rcptTo },
  })
  return {
    from,
    fromName: nameIn(message.header.get("from")),
    subject,
    messageId,
    answers: inReplyTo,
    // Bounces come from the null sender, whatever their header says.
    autoSubmitted: autoSubmitted || fromNull || statusPart(message, true) !== null,
    plus: plusOf(pattern, rcptTo.slice(0, rcptTo.lastIndexOf("@"))),
    attachmentCount: attached(message).length,
  }
}

/** The name beside the address; null if there is none. */
function nameIn(field: string): string | null {
  const [before = "", ...addresses] = field.slice(0, 2_000).split("<")
  const name = before.trim().replace(/^"/, "").replace(/"$/, "").trim()
  if (addresses.length !== 1 || name === "" || /[">]/.test(name)) return null
  return cutText(plainWords(name), nameCharsMax)
}

type EmailTexts = { text: string; replyText: string; isCut: boolean }

/** The text of a message, HTML without its tags, and what of it the person wrote. */
export function textsOf(raw: Uint8Array): EmailTexts {
  const parts = textParts(messageOf(raw))
  let whole = ""
  for (const part of parts)
    if (whole.length <= textBytesMax) whole += `${whole && "\n"}${textOf(part, textBytesMax + 1)}`
  const text = cutText(whole, textBytesMax)
  const replyText = replyTextOf(text, { marked: parts[0]?.type !== "text/html" })
  return { text, replyText, isCut: parts.reduce((sum, { body }) => sum + body.length, 0) > textBytesMax }
}

/** What is read as the text: a phone puts a picture between two of them, and some programs send an empty one beside the HTML. */
function textParts(message: MimePart): MimePart[] {
  const all = attachmentsOf(message).filter(({ type, part }) => textTypes.has(type) && !isAttachment(part))
  // A file that is shown in its place has a name.
  const unnamed = all.filter(({ filename }) => filename === null)
  const parts = (unnamed.length > 0 ? unnamed : all.slice(0, 1)).map(({ part }) => part)
  const written = parts.filter((part) => part.type === "text/plain" && textOf(part, blankBytesMax).trim() !== "")
  const html = parts.filter(({ type }) => type === "text/html")
  return (written.length > 0 ? written : html.length > 0 ? html : parts).slice(0, textPartsMax)
}

const textTypes = new Set(["text/plain", "text/html"])

type AttachmentEntry = { number: number; filename: string | null; contentType: string; size: number }

/** The attachments of a message, numbered from 1; at most 200. */
export function attachmentsIn(raw: Uint8Array): AttachmentEntry[] {
  return attached(messageOf(raw)).map(({ filename, type, part }, at) => ({
    number: at + 1,
    filename: filename === null ? null : cutText(filename, nameCharsMax),
    contentType: type,
    size: bodyOf(part, attachmentBytesMax).length,
  }))
}

/** The decoded octets of one attachment. */
export function attachmentAt(raw: Uint8Array, number: number): { filename: string | null; bytes: Buffer } | null {
  const found = attached(messageOf(raw))[number - 1]
  return found ? { filename: found.filename, bytes: bodyOf(found.part, attachmentBytesMax) } : null
}

/** Every part that has a name or says that it is attached, and what is neither text nor HTML. */
function attached(message: MimePart) {
  return attachmentsOf(message).filter(
    ({ filename, type, part }) =>
      filename !== null || isAttachment(part) || !/^(?:text\/(?:plain|html)|multipart\/.*)$/.test(type),
  )
}

function isAttachment({ header }: MimePart): boolean {
  return /^\s*attachment\b/i.test(header.get("content-disposition"))
}

/** The header fields as they arrived, at most 1,000. */
export function headersOf(raw: Uint8Array): { name: string; value: string }[] {
  return messageOf(raw).header.fields.map(([name, value]) => ({ name, value: cutText(value, valueCharsMax) }))
}

/** Where an answer goes: Reply-To, else From; null if neither has an address. */
export function replyAddressOf(raw: Uint8Array): string | null {
  const { header } = messageOf(raw)
  for (const field of [header.get("reply-to"), header.get("from")]) {
    const address = parseAddress(mailboxIn(field) ?? "")
    if (address.ok) return address.address
  }
  return null
}

/** Lines of an attribution, which mail programs break at 70 to 80 characters. */
const attributionLinesMax = 3
const attributionCharsMax = 400

/**
 * What a person wrote in a reply, without the message that it quotes. Answers between quoted lines keep them. The time is linear
 * in the length of the text.
 * @param marked false where quoted lines have no `>`, as in text that was made of HTML
 */
export function replyTextOf(text: string, { marked = true } = {}): string {
  const lines = text.split("\n").map((line) => line.trimEnd())
  for (const [at, line] of lines.entries()) {
    if (isSeparator(line) || isOutlookHeader(lines, isRule(line) ? nextAt(lines, at + 1) : at))
      return written(lines.slice(0, at), lines)
    const length = attributionLength(lines, at)
    if (length === 0) continue
    const isQuoted = nextLine(lines, at + length).startsWith(">")
    if (isQuoted || !marked) return isQuoted ? beside(lines, at, length) : written(lines.slice(0, at), lines)
  }
  return written(withoutLastQuotation(lines), lines)
}

/** The first line from here that is not empty. */
function nextLine(lines: readonly string[], from: number): string {
  return lines[nextAt(lines, from)] ?? ""
}

function nextAt(lines: readonly string[], from: number): number {
  let at = from
  while (lines[at] === "") at += 1
  return at
}

/** What is written above, else below the lines that an attribution announces; everything where it is between them. */
function beside(lines: readonly string[], at: number, length: number): string {
  const rest = lines.slice(at + length)
  const answer = whole(rest.filter((line) => !line.startsWith(">")))
  if (answer === "") return written(lines.slice(0, at), lines)
  return isOneBlock(rest) && whole(lines.slice(0, at)) === "" ? answer : whole(lines)
}

/** A reply that is nothing but a quotation is shown in full. */
function written(lines: readonly string[], all: readonly string[]): string {
  return lines.join("\n").trim() || whole(all)
}

function whole(lines: readonly string[]): string {
  return lines.join("\n").trim()
}

/** Whether all quoted lines are together, in front of everything else. */
function isOneBlock(lines: readonly string[]): boolean {
  const firstOwn = lines.findIndex((line) => line !== "" && !line.startsWith(">"))
  return !lines.slice(firstOwn).some((line) => line.startsWith(">"))
}

function withoutLastQuotation(lines: readonly string[]): readonly string[] {
  let end = lines.length
  while (end > 0 && (lines[end - 1] === "" || lines[end - 1]?.startsWith(">"))) end -= 1
  return lines.slice(0, end)
}

function isSeparator(line: string): boolean {
  return /^-{2,20} ?(?:original message|original appointment|forwarded message|urspr[üu]ngliche nachricht|message d'origine|message transf[ée]r[ée]|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht) ?-{2,20}$/iu.test(
    line.slice(0, 100),
  )
}

/** Outlook on the web and on phones draws a line before what it quotes. */
function isRule(line: string): boolean {
  return /^_{10,80}$/.test(line)
}

const senderField =
  /^\*?(?:from|von|de|da|van|från|fra|od|lähettäjä|от|差出人|发件人|寄件者|보낸 사람)\*?\s?(?::\*?\s|：)/iu
const otherField =
  /^\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado(?: el)?|para|ass?unto|inviato|data|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|dato|til|emne|wysłano|do|temat|odesláno|komu|předmět|lähetetty|vastaanottaja|aihe|отправлено|дата|кому|тема|送信日時|宛先|件名|发送时间|收件人|主题|寄件日期|收件者|主旨|보낸 날짜|받는 사람|제목)\*?\s?[:：]/iu

/** The fields that Outlook puts before what it quotes. */
function isOutlookHeader(lines: readonly string[], at: number): boolean {
  if (!senderField.test(lines[at]?.slice(0, 20) ?? "")) return false
  return lines.slice(at + 1, at + 4).filter((line) => otherField.test(line.slice(0, 20))).length >= 2
}

const opening = /^(?:on|am|le|el|il|op|em|den|dne|w dniu|в|20\d\d)(?!\p{L})|^\d{1,4}[./-]/iu
const closing =
  /(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napsal|napisał|написал)(?!\p{L}).{0,200}:$|(?:写道|のメール)[:：]?$/iu

/** In a language that is not known here, with the year and the address of who wrote it: Gmail has some eighty. */
const addressed =
  /\b\d{4}(?!\d).*<[^<>@\s]{1,64}@[^<>@\s]{1,253}>[^<>]{0,60}[:：]$|<[^<>@\s]{1,64}@[^<>@\s]{1,253}>.*\d{4}[^<>]{0,80}[:：]$/u

/** How many lines from here say when somebody wrote what follows; 0 if they do not. */
function attributionLength(lines: readonly string[], at: number): number {
  const first = lines[at] ?? ""
  const isKnown = opening.test(first.slice(0, 20))
  if (first === "" || first.startsWith(">") || !(isKnown || /\d/.test(first))) return 0
  for (let length = 1; length <= attributionLinesMax; length++) {
    const last = lines[at + length - 1] ?? ""
    if (last === "" || last.startsWith(">")) return 0
    const joined = lines.slice(at, at + length).join(" ")
    if (joined.length > attributionCharsMax) return 0
    if (isKnown && closing.test(joined)) return /\d/.test(joined) ? length : 0
    if (addressed.test(joined) && nextLine(lines, at + length).startsWith(">")) return length
  }
  return 0
}
