import { asciiHost } from "@/lib/addresses/hostname"

/** An address as one caller gave it. `address` goes on the wire, `canonical` is what is compared and suppressed. */
export type Address = {
  ok: true
  name?: string
  address: string
  canonical: string
  local: string
  domain: string
}

/** `reason` is the sentence of the code. */
type AddressRefused = { ok: false; code: AddressFault; reason: string }

/** Longest accepted text, in UTF-16 units: the limit of a header line (RFC 5322 section 2.1.1). */
export const addressTextMax = 998

/** Longest display name, in UTF-16 units; a quoted one still fits on a header line. */
const displayNameMax = 256

/** Longest parts in octets (RFC 5321 section 4.5.3.1). */
export const localPartMax = 64
export const domainMax = 253
const addressMax = 254

/**
 * Reads `local@domain`, `Name <local@domain>` or `"Name" <local@domain>` and nothing else of RFC 5322: no list, group,
 * comment, route, quoted local part or address literal, because two parsers that disagree about one of these let a
 * mail go to an address that was never checked. Never throws; takes time linear in the text.
 */
export function parseAddress(text: string): Address | AddressRefused {
  if (typeof text !== "string" || text === "") return refuse("missing")
  if (text.length > addressTextMax) return refuse("too_long")
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) return refuse("control_characters")
  if (/\p{Cs}/u.test(text)) return refuse("lone_surrogates")
  if (text.trim() !== text) return refuse("outer_space")

  const parts = split(text)
  if (!parts.ok) return parts
  if (parts.name && parts.name.length > displayNameMax) return refuse("name_too_long")
  const spec = parseSpec(parts.spec)
  if (!spec.ok) return spec
  return parts.name ? { ...spec, name: parts.name } : spec
}

/** The same for an address on its own, which may have spaces around it and no name. */
export function parsePlainAddress(text: string): Address | AddressRefused {
  const parsed = parseAddress(text.trim())
  return parsed.ok && parsed.name !== undefined ? refuse("with_name") : parsed
}

type Parts = { ok: true; name?: string; spec: string }

function split(text: string): Parts | AddressRefused {
  if (text.startsWith('"')) return splitQuoted(text)
  const open = text.indexOf("<")
  if (open === -1) return { ok: true, spec: text }
  if (!text.endsWith(">")) return refuse("text_after")
  const name = text.slice(0, open).trim()
  if (/[@,;:()[\]\\">]/.test(name)) return refuse("name_needs_quotes")
  return { ok: true, name, spec: text.slice(open + 1, -1) }
}

function splitQuoted(text: string): Parts | AddressRefused {
  const quoted = readQuoted(text)
  if (!quoted) return refuse("quote_not_closed")
  const rest = text.slice(quoted.end).trimStart()
  if (rest.startsWith("@")) return refuse("quoted_local")
  if (!rest.startsWith("<") || !rest.endsWith(">")) return refuse("quoted_name_alone")
  return { ok: true, name: quoted.value.trim(), spec: rest.slice(1, -1) }
}

function readQuoted(text: string): { value: string; end: number } | null {
  let value = ""
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '"') return { value, end: at + 1 }
    if (text[at] === "\\") at += 1
    value += text[at] ?? ""
  }
  return null
}

function parseSpec(spec: string): Address | AddressRefused {
  if (spec.normalize("NFKC") !== spec) return refuse("not_normalised")
  const at = spec.indexOf("@")
  if (at === -1) return refuse("no_at")
  const fault = faultOfShape(spec)
  if (fault) return refuse(fault)

  const local = spec.slice(0, at)
  const faultBefore = faultOfLocal(local)
  if (faultBefore) return refuse(faultBefore)
  const domain = domainOf(spec.slice(at + 1))
  if (!domain.ok) return domain
  const address = `${local}@${domain.ascii}`
  if (address.length > addressMax) return refuse("address_too_long")
  return { ok: true, address, canonical: `${local.toLowerCase()}@${domain.ascii}`, local, domain: domain.ascii }
}

function faultOfShape(spec: string): AddressFault | null {
  if (/[,;]/.test(spec)) return "several"
  if (/[()]/.test(spec)) return "comment"
  if (spec.startsWith("@")) return spec.includes(":") ? "route" : "no_local"
  if (spec.includes('"') || spec.includes("\\")) return "quoted_local"
  if (spec.includes("[") || spec.includes("]")) return "address_literal"
  if (spec.indexOf("@") !== spec.lastIndexOf("@")) return "several_at"
  if (/[\s<>]/.test(spec)) return "spaces"
  if (spec.includes(":")) return "colon"
  return null
}

function faultOfLocal(local: string): AddressFault | null {
  if (local.length > localPartMax) return "local_too_long"
  if (/[^\x20-\x7e]/.test(local)) return "local_not_ascii"
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return "local_dots"
  // Both are legal atoms, but a later reader may decode them into an @ or a line break.
  if (local.includes("=?")) return "encoded_word"
  if (/%[0-9a-f]{2}/i.test(local)) return "percent_encoded"
  if (!/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/.test(local)) return "local_characters"
  return null
}

type AsciiDomain = { ok: true; ascii: string }

function domainOf(text: string): AsciiDomain | AddressRefused {
  if (text === "") return refuse("no_domain")
  if (text.endsWith(".")) return refuse("domain_dot")
  const ascii = toAscii(text)
  if (ascii === null) return refuse("domain_invalid")
  if (ascii.length > domainMax) return refuse("domain_too_long")
  const labels = ascii.split(".")
  if (!labels.every(isLabel)) return refuse("domain_invalid")
  const top = labels.at(-1) ?? ""
  if (labels.length < 2) return refuse("domain_one_label")
  if (/^(\d+|0x[0-9a-f]*)$/.test(top)) return refuse("domain_ip")
  return { ok: true, ascii }
}

/** A-labels by the URL standard (UTS 46, non-transitional), which browsers implement too. */
function toAscii(domain: string): string | null {
  const plain = /^[A-Za-z0-9.-]+$/.test(domain)
  if (plain && !/xn--/i.test(domain)) return domain.toLowerCase()
  // Phones write a heart with a selector that asks for its coloured form, and no A-label has it.
  const bare = domain.replace(/(?<=\p{Extended_Pictographic})\ufe0f/gu, "")
  // The URL parser would drop, split at or decode these; the A-label decides on all other characters.
  if (/[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u3002\uff0e\uff61]/u.test(bare)) return null
  if (!/^[A-Za-z0-9.\u0080-\u{10ffff}-]+$/u.test(bare)) return null
  return asciiHost(bare)
}

function isLabel(label: string): boolean {
  return label.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)
}

/** Why a text is no address, by the code that is stored where such a refusal is. */
export const addressFaults = {
  missing: "An address is missing.",
  too_long: `An address has at most ${addressTextMax} characters.`,
  control_characters: "An address must not contain control characters or line breaks.",
  lone_surrogates: "An address must not contain lone surrogates.",
  outer_space: "An address must not begin or end with a space.",
  name_too_long: `A name has at most ${displayNameMax} characters.`,
  with_name: "Must be an address alone, without a name.",
  text_after: "Nothing may follow the address in <…>; enter one address per entry.",
  name_needs_quotes:
    'A name that contains any of @ , ; : ( ) [ ] \\ " > must be in double quotes: "Acme, Inc." <a@acme.example>.',
  quote_not_closed: "The quoted name has no closing quote.",
  quoted_local: "A quoted local part is not supported.",
  quoted_name_alone: "A quoted name must be followed by one address in <…>.",
  not_normalised: "The address contains characters that change when normalised (NFKC).",
  no_at: "An address must have the form local@domain.",
  address_too_long: `An address has at most ${addressMax} characters.`,
  several: "Enter one address, not a list or a group.",
  comment: "Comments in parentheses are not supported.",
  route: "Routes are not supported.",
  no_local: "The part before @ is missing.",
  address_literal: "An address literal such as [127.0.0.1] is not supported.",
  several_at: "An address must have exactly one @.",
  spaces: "An address must not contain spaces, < or >.",
  colon: "An address must not have a port, scheme or group name.",
  local_too_long: `The part before @ has at most ${localPartMax} characters.`,
  local_not_ascii: "The part before @ may hold only the letters a to z, digits and ASCII symbols.",
  local_dots: "The part before @ must not begin or end with a dot or contain two in a row.",
  encoded_word: "Encoded words are not supported in an address.",
  percent_encoded: "Percent-encoded characters are not supported in an address.",
  local_characters: "The part before @ contains a character that is not allowed.",
  no_domain: "The part after @ is missing.",
  domain_dot: "The domain must not end with a dot.",
  domain_invalid: "The part after @ is not a domain name.",
  domain_too_long: `A domain has at most ${domainMax} characters.`,
  domain_one_label: "The domain needs at least one dot, as in example.com.",
  domain_ip: "The part after @ is an IP address, not a domain name.",
} as const satisfies Record<string, string>

export type AddressFault = keyof typeof addressFaults

function refuse(code: AddressFault): AddressRefused {
  return { ok: false, code, reason: addressFaults[code] }
}

const form = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]{1,64}@([^\s@]{1,253})$/

/**
 * The form in which a user's address is stored and looked up: NFC, lower case, the domain in ASCII. Null when the text is
 * not a single plain address.
 */
export function personAddress(text: string): string | null {
  const given = text.normalize("NFC").trim().toLowerCase()
  const domain = asciiHost(form.exec(given)?.[1] ?? "")
  if (!domain || !domain.includes(".") || domain.endsWith(".")) return null
  return `${given.slice(0, given.lastIndexOf("@"))}@${domain}`
}
