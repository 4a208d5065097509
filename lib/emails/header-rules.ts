import { parseAddress } from "@/lib/addresses/address"
import { holdsControl, isLonger, utf8Bytes } from "@/lib/emails/message-rules"
import { parseUrl } from "@/lib/platform/url-rules"

export const headersMax = 50
export const headerNameCharsMax = 76
const headerLineCharsMax = 998
/** They name the earlier emails of a thread and grow with it, so they may take all the room that headers have. */
export const threadBytesMax = headersMax * headerLineCharsMax
/** Longest word of a header: it cannot be folded. */
const headerWordBytesMax = 900

export type HeaderFault = { name: string; sentence: string }

/** Every header of a caller that cannot be sent, with the reason. */
export function headersFaults(headers: Readonly<Record<string, string>>): HeaderFault[] {
  const seen = new Map<string, string>()
  return Object.entries(headers).flatMap(([name, value]) => {
    const earlier = seen.get(name.toLowerCase())
    seen.set(name.toLowerCase(), name)
    const sentence =
      headerFault(name, value) ??
      (earlier === undefined ? null : `The header ${name} is given twice: ${earlier} is the same name.`)
    return sentence ? [{ name, sentence }] : []
  })
}

/** The headers without those that a request of today may not give: what an earlier release accepted and has not sent yet. */
export function sendableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const refused = new Set(headersFaults(headers).map(({ name }) => name))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !refused.has(name)))
}

/** Why a caller may not set this header, as a sentence; null if it may. */
export function headerFault(name: string, value: string): string | null {
  if (!/^[!-9;-~]{1,76}$/.test(name))
    return `A header name has 1 to ${headerNameCharsMax} visible ASCII characters and no colon.`
  if (isOurHeader(name)) return `The header ${name} is set by this service and cannot be given.`
  if (isRelayHeader(name)) return `The header ${name} gives orders to a mail service on the way and cannot be given.`
  if (holdsControl(value)) return "A header value holds no line breaks or control characters."
  const kind = headerKind(name)
  // A name that is shown with an address is written in encoded words (RFC 2047 section 5); the address itself is ASCII.
  if (kind !== "text" && kind !== "addresses" && /[^\x20-\x7e]/.test(value)) return asciiFault(name, kind)
  if (kind === "message ids") return threadFault(name, value)
  if (name.length + 2 + utf8Bytes(value) > headerLineCharsMax)
    return `A header line has at most ${headerLineCharsMax} bytes with its name.`
  if (kind === "addresses" && splitAddresses(value).some((one) => !parseAddress(one).ok))
    return `The header ${name} holds addresses, separated by commas: a@acme.example, Ada <b@acme.example>.`
  if (kind === "uris" && !isUriList(name, value))
    return `The header ${name} holds URIs in angle brackets, separated by commas: <https://acme.example/list>, <mailto:list@acme.example>.`
  if (name.toLowerCase() === "list-unsubscribe-post" && value !== "List-Unsubscribe=One-Click")
    return `The header ${name} holds List-Unsubscribe=One-Click (RFC 8058).`
  return null
}

/** What the value of a header is made of, which decides how it is checked and how it is written. */
export type HeaderKind = "text" | "message ids" | "addresses" | "uris" | "tokens"

const kinds: [HeaderKind, RegExp][] = [
  ["message ids", /^(references|in-reply-to|supersedes|obsoletes|original-message-id)$/],
  [
    "addresses",
    /^(disposition-notification-to|return-receipt-to|x-confirm-reading-to|mail-reply-to|mail-followup-to)$/,
  ],
  ["uris", /^(list-(archive|help|owner|post|subscribe|unsubscribe|url)|archived-at)$/],
  [
    "tokens",
    /^(list-.*|auto-submitted|autocrypt|disposition-notification-options|importance|mt-priority|precedence|priority|require-recipient-valid-since|sensitivity|tls-required|x-auto-response-suppress|x-priority)$/,
  ],
]

/** By RFC 2369, 5064, 5322 and 8098; a header that is not known is free text. */
export function headerKind(name: string): HeaderKind {
  const lower = name.toLowerCase()
  return kinds.find(([, names]) => names.test(lower))?.[0] ?? "text"
}

function asciiFault(name: string, kind: HeaderKind): string {
  if (kind === "uris") return `The header ${name} is ASCII: percent-encode other characters of a URI.`
  return `The header ${name} is ASCII.`
}

function threadFault(name: string, value: string): string | null {
  if (isLonger(value, threadBytesMax)) return `The header ${name} has at most ${threadBytesMax} bytes.`
  if (value.split(" ").some((word) => isLonger(word, headerWordBytesMax)))
    return `A message id has at most ${headerWordBytesMax} bytes.`
  return null
}

/** Split at the commas outside quoted names; a quote that is not closed ends with the text. Takes time linear in the text. */
export function splitAddresses(value: string): string[] {
  const pieces: string[] = []
  let from = 0
  let isQuoted = false
  for (let at = 0; at < value.length; at++) {
    const character = value[at]
    if (character === "\\" && isQuoted) at++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === "," && !isQuoted) {
      pieces.push(value.slice(from, at))
      from = at + 1
    }
  }
  pieces.push(value.slice(from))
  // A comma too many leaves an address that is none.
  return pieces.includes("") ? [""] : pieces.map((piece) => piece.trim())
}

/** RFC 2369 section 2: URIs in angle brackets, each with a comment if need be; RFC 5064 has one. */
function isUriList(name: string, value: string): boolean {
  if (/^list-post$/i.test(name) && /^NO( \([^()]*\))?$/i.test(value)) return true
  if (!/^<[^<> ]+>( *\([^()<>]*\))?( *, *<[^<> ]+>( *\([^()<>]*\))?)*$/.test(value)) return false
  const uris = [...value.matchAll(/<([^<>]*)>/g)].map(([, uri = ""]) => uri)
  return uris.every(isUri) && (uris.length === 1 || !/^archived-at$/i.test(name))
}

/** An absolute URI (RFC 3986) that a mail program can open without running it. */
function isUri(uri: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:[\w~:/?#[\]@!$&'()*+,;=.%-]+$/i.test(uri) || /%(?![0-9a-f]{2})/i.test(uri)) return false
  const [scheme = ""] = uri.toLowerCase().split(":")
  if (["javascript", "data", "vbscript", "file", "blob"].includes(scheme)) return false
  if (scheme === "http" || scheme === "https") return /^https?:\/\/[^/]/i.test(uri) && parseUrl(uri) !== null
  if (scheme !== "mailto") return true
  const [addresses = ""] = uri.slice("mailto:".length).split("?")
  return addresses.split(",").every((one) => parseAddress(percentDecoded(one)).ok)
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}

const unsubscribeHeaders = ["list-unsubscribe", "list-unsubscribe-post"]

/** The headers of a caller that offer to unsubscribe; an email has only one such link. */
export function unsubscribeHeadersOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.keys(headers).filter((name) => unsubscribeHeaders.includes(name.toLowerCase()))
}

/** Headers that decide who a mail is from, where it goes, how it is read or who vouches for it. */
const ourHeaders = new Set([
  "from",
  "to",
  "cc",
  "bcc",
  "sender",
  "reply-to",
  "date",
  "subject",
  "message-id",
  "mime-version",
  "dkim-signature",
  "domainkey-signature",
  "return-path",
  "received",
  "received-spf",
  "authentication-results",
  "delivered-to",
  "apparently-to",
  "errors-to",
  "list-id",
  "feedback-id",
])

/** `resent-` because readers show it as the sender. */
const ourHeaderPrefixes = ["content-", "list-unsubscribe", "arc-", "resent-", "x-mailroom-"]

export function isOurHeader(name: string): boolean {
  const lower = name.toLowerCase()
  if (unsubscribeHeaders.includes(lower)) return false
  return ourHeaders.has(lower) || ourHeaderPrefixes.some((prefix) => lower.startsWith(prefix))
}

/**
 * With these, providers and mail servers let a message add recipients, choose whose mail it is, switch on tracking and the like.
 * Whoever runs the relay decides that, not who sends.
 */
const relayHeaderPrefixes = [
  ...["x-elasticemail-", "x-greenarrow-", "x-kumo", "x-mailgun-", "x-mailin-", "x-mailjet-", "x-mailtrap-"],
  ...["x-mandrill-", "x-mc-", "x-mj-", "x-ms-exchange-", "x-msys-", "x-pm-", "x-pmta-", "x-postmark-", "x-resend-"],
  ...["x-sendgrid-", "x-ses-", "x-sg-", "x-sib-", "x-smtp2go-", "x-smtpapi", "x-sparkpost-", "x-virtual-mta", "x-vmta"],
]

function isRelayHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return relayHeaderPrefixes.some((prefix) => lower.startsWith(prefix))
}
