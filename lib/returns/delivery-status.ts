import { cutText } from "@/lib/platform/format"
import { headerOf, isMessage, partsOf, textOf, type MimeHeader, type MimePart } from "@/lib/platform/mime/mime-parts"
import type { ReturnedAction, ReturnedRecipient, QuotedReply } from "@/lib/returns/returned-mail"
import { printable } from "@/lib/delivery/smtp/reply"

const bytesMax = 512 * 1024
const recipientsMax = 1_000
const diagnosticCharsMax = 1_000

type StatusFields = { reportingMta: string | null; recipients: ReturnedRecipient[] }

/**
 * The part with the fields of RFC 3464, or RFC 6533, wherever it is. One inside an attached message counts only if the
 * message around it has none and is itself by a mail server: a person may forward a bounce.
 */
export function statusPart(message: MimePart, byServer: boolean): MimePart | null {
  const own = partsOf(message).find(({ type }) => statusTypes.test(type))
  if (own || !byServer) return own ?? null
  const attached = partsOf(message).filter(({ type }) => isMessage(type))
  return (
    attached.flatMap(({ parts }) => parts.flatMap(partsOf)).find(({ type }) => statusTypes.test(type)) ??
    partsOf(message).find(hasStatusFields) ??
    null
  )
}

const statusTypes = /^message\/(?:global-)?delivery-status$/

/** Gateways turn the part into text. */
function hasStatusFields(part: MimePart): boolean {
  if (part.parts.length > 0 || !part.type.startsWith("text/")) return false
  const text = textOf(part, 16 * 1024).trimStart()
  return /^Reporting-MTA:/i.test(text) && /^Final-Recipient:/im.test(text) && /^Action:/im.test(text)
}

/** The blocks of a status part: one about the message, and one for each recipient. */
export function statusFields(part: MimePart): StatusFields {
  const blocks = textOf(part, bytesMax)
    .split(/\n[ \t]*\n/, 2 * recipientsMax)
    .map(headerOf)
    .filter(({ size }) => size > 0)
  const about = blocks.find((block) => block.has("reporting-mta"))
  const recipients = blocks.flatMap((block) => recipientOf(block) ?? []).slice(0, recipientsMax)
  return { reportingMta: about ? typedValue(about.get("reporting-mta")) : null, recipients }
}

function recipientOf(block: MimeHeader): ReturnedRecipient | null {
  const names = ["original-recipient", "final-recipient"].map((name) => block.get(name)).filter((value) => value !== "")
  const status = /\b([245])\.(\d{1,3})\.(\d{1,3})\b/.exec(block.get("status"))?.[0] ?? null
  const diagnostic = diagnosticIn(block.get("diagnostic-code"))
  const reply = diagnostic && innermostReply(diagnostic.text)
  const action = actionOf(block.get("action"), status, reply?.code)
  if (!action || (names.length === 0 && !block.has("action"))) return null
  const addresses = names.flatMap(addressesOf)
  return {
    address: addresses[0] ?? null,
    addresses,
    action,
    status,
    diagnostic,
    innermostReply: reply,
    remoteMta: typedValue(block.get("remote-mta")),
  }
}

/** The action decides; where it is missing or unknown, the first digit of the status, then that of the reply. */
function actionOf(field: string, status: string | null, code: number | undefined): ReturnedAction | null {
  const word = /^[a-z]+/i.exec(field)?.[0].toLowerCase() ?? ""
  return actions.get(word) ?? classes.get(status?.[0] ?? String(code ?? "").charAt(0)) ?? null
}

const actions = new Map<string, ReturnedAction>([
  ["failed", "failed"],
  ["failure", "failed"],
  ["delayed", "delayed"],
  ["delivered", "delivered"],
  ["relayed", "relayed"],
  ["expanded", "expanded"],
])
const classes = new Map<string, ReturnedAction>([
  ["5", "failed"],
  ["4", "delayed"],
  ["2", "delivered"],
])

/** The address behind its type, in both spellings where it may be written as xtext (RFC 3461 section 4). */
function addressesOf(value: string): string[] {
  const text = value.replace(/^[\w-]{1,40}\s{0,9};\s{0,9}/, "").replace(/\([^()]{0,200}\)/g, "")
  const address = bareAddress(text)
  if (!address) return []
  const plain = address.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return plain === address || !bareAddress(plain) ? [address] : [address, plain]
}

/** An address in a text. An apostrophe within its name, such as O'Brien's, is part of it; around it, it is a quote. */
export const addressForm = /(?:[^\s<>"',;:()[\]\\@]|(?<=\w)'(?=\w)){1,64}@[\w.-]{1,253}\w/

/** An address without brackets and quotes around it; null if there is none. */
export function bareAddress(text: string): string | null {
  return addressForm.exec(text)?.[0] ?? null
}

const fieldCharsMax = 4_000

/** The address of the first mailbox in a field such as From (RFC 5322 section 3.4), whatever the name beside it looks like; null if there is none. */
export function mailboxIn(field: string): string | null {
  const plain = field
    .slice(0, fieldCharsMax)
    .replace(/"(?:[^"\\]|\\.)*"/g, " ")
    .replace(/\([^()]*\)/g, " ")
  return bareAddress(/<([^<>]*)>/.exec(plain)?.[1] ?? plain)
}

/** `dns; mx.example` without its type. */
function typedValue(value: string): string | null {
  const text = flatOf(value.replace(/^[\w-]{1,40}\s{0,9};/, ""))
  return text === "" ? null : cutText(text, 255)
}

/** The value of a Diagnostic-Code field; null for an empty one. */
export function diagnosticIn(value: string): ReturnedRecipient["diagnostic"] {
  if (value === "") return null
  const typed = /^([\w-]{1,40})\s{0,9};/.exec(value)
  const text = flatOf(value.slice(typed?.[0].length ?? 0))
  return { type: typed?.[1]?.toLowerCase() ?? "", text: cutText(text, diagnosticCharsMax) }
}

const textCharsMax = 8_000
const replyCharsMax = 1_000

/**
 * The SMTP reply that is quoted last in a text. Servers put what the next one said behind their own words, so the last is the
 * innermost: it comes from the server that knows the mailbox. Lines of one reply (`550-5.1.1 …`) are one. Only 4xx and 5xx.
 */
export function innermostReply(text: string): QuotedReply | null {
  const lines = text.slice(0, textCharsMax).replace(/[^\S\n]+/g, " ")
  const codes = replyCodes(lines)
  const last = codes.at(-1)
  if (!last) return null
  const first = codes.findLastIndex(({ code, enhanced }) => code !== last.code || enhanced !== last.enhanced) + 1
  const words = codes.slice(first).map(({ to }, nth) => lines.slice(to, codes[first + nth + 1]?.from))
  const said = words.join(" ")
  // qmail and others write the enhanced code behind the words.
  const behind = /\(#?([245]\.\d{1,3}\.\d{1,3})\)/.exec(said)?.[1]
  const enhanced = last.enhanced ?? (behind?.startsWith(String(last.code).charAt(0)) ? behind : null)
  return { code: last.code, enhanced, text: cutText(flatOf(spoken(said)), replyCharsMax), phase: phaseOf(lines) }
}

type Code = { code: number; enhanced: string | null; from: number; to: number }

/** Codes with an enhanced code behind them, or behind a mark or word that introduces speech. Other numbers are numbers. */
function replyCodes(text: string): Code[] {
  const codes: Code[] = []
  for (const { 0: digits, index: from } of text.matchAll(/(?<![\w.#/+@])[45]\d\d(?![\w.])/g)) {
    const to = from + digits.length
    const enhanced = /^(?:[ -]{1,3}#?|#)([245]\.\d{1,3}\.\d{1,3})(?![\w.])/.exec(text.slice(to, to + 16))
    if (
      !enhanced &&
      !(introduced.test(text.slice(Math.max(from - 16, 0), from)) && spokenOn.test(text.slice(to, to + 12)))
    )
      continue
    codes.push({ code: Number(digits), enhanced: enhanced?.[1] ?? null, from, to: to + (enhanced?.[0].length ?? 0) })
  }
  return codes
}

const introduced =
  /(?:^|\n|[:;'"(<>[=|-]) ?$|\b(?:said|error|code|returned|responded|response|reply|status|with|smtp|by|got|was) $/i
const spokenOn = /^(?:-|$|\n| (?!(?:bytes|kb|mb|messages?|hours?|minutes?|seconds?|days?|users?|times)\b))/i

/** One line, without control characters and with single spaces. */
export function flatOf(text: string): string {
  return printable(text.slice(0, textCharsMax).replace(/\s+/g, " ").trim())
}

/** What the server said, without what the one that quotes it put around it. */
function spoken(text: string): string {
  const said = text.replace(/\(in reply to [\w ]{1,40}\)/gi, " ").replace(/\bGiving up on [\d.]{7,15}\.?/gi, " ")
  let [start, end] = [0, said.length]
  while (start < end && /[\s\-:;'"]/.test(said.charAt(start))) start += 1
  while (end > start && /[\s'">]/.test(said.charAt(end - 1))) end -= 1
  return said.slice(start, end)
}

/** What the server replied to, as Postfix, Exim and transcripts of Sendmail write it. */
function phaseOf(flat: string): QuotedReply["phase"] {
  const command = /\b(?:in reply to|after|>>>) (?:end of )?(MAIL FROM|MAIL|RCPT TO|RCPT|DATA)\b/gi
  const last = [...flat.matchAll(command)].at(-1)?.[1]?.toUpperCase()
  if (!last) return null
  return last.startsWith("MAIL") ? "mail" : last.startsWith("RCPT") ? "rcpt" : "data"
}
