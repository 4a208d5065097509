import { cutText } from "@/lib/platform/text"
import { headerOf, isMessage, partsOf, textOf, type MimeHeader, type MimePart } from "@/lib/platform/mime/mime-parts"
import { flatOf, innermostReply } from "@/lib/returns/quoted-reply"
import type { ReturnedAction, ReturnedRecipient } from "@/lib/returns/returned-mail"

const bytesMax = 512 * 1024
const recipientsMax = 1_000
const diagnosticCharsMax = 1_000

export type StatusFields = { reportingMta: string | null; recipients: ReturnedRecipient[] }

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

/** An address without brackets and quotes around it; null if there is none. */
export function bareAddress(text: string): string | null {
  return /[^\s<>"',;:()[\]\\@]{1,64}@[\w.-]{1,253}\w/.exec(text)?.[0] ?? null
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
