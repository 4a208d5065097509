import { asciiHost } from "@/lib/addresses/ascii-host"

/** An address as one caller gave it. `address` goes on the wire, `canonical` is what is compared and suppressed. */
export type Address = {
  ok: true
  name?: string
  address: string
  canonical: string
  local: string
  domain: string
}

export type AddressRefused = { ok: false; reason: string }

/** Longest accepted text, in UTF-16 units: the limit of a header line (RFC 5322 section 2.1.1). */
export const addressTextMax = 998

/** Longest display name, in UTF-16 units; a quoted one still fits on a header line. */
export const displayNameMax = 256

/** Longest parts in octets (RFC 5321 section 4.5.3.1). */
export const localPartMax = 64
export const domainMax = 253
export const addressMax = 254

/**
 * Reads `local@domain`, `Name <local@domain>` or `"Name" <local@domain>` and nothing else of RFC 5322: no list, group,
 * comment, route, quoted local part or address literal, because two parsers that disagree about one of these let a
 * mail go to an address that was never checked. Never throws; takes time linear in the text.
 */
export function parseAddress(text: string): Address | AddressRefused {
  if (typeof text !== "string" || text === "") return refuse("An address is missing.")
  if (text.length > addressTextMax) return refuse(`An address has at most ${addressTextMax} characters.`)
  if (/[\p{Cc}\u2028\u2029]/u.test(text))
    return refuse("An address must not contain control characters or line breaks.")
  if (/\p{Cs}/u.test(text)) return refuse("An address must not contain lone surrogates.")
  if (text.trim() !== text) return refuse("An address must not begin or end with a space.")

  const parts = split(text)
  if (!parts.ok) return parts
  if (parts.name && parts.name.length > displayNameMax)
    return refuse(`A name has at most ${displayNameMax} characters.`)
  const spec = parseSpec(parts.spec)
  if (!spec.ok) return spec
  return parts.name ? { ...spec, name: parts.name } : spec
}

/** The same for an address on its own, which may have spaces around it and no name. */
export function parsePlainAddress(text: string): Address | AddressRefused {
  const parsed = parseAddress(text.trim())
  return parsed.ok && parsed.name !== undefined ? refuse("Must be an address alone, without a name.") : parsed
}

type Parts = { ok: true; name?: string; spec: string }

function split(text: string): Parts | AddressRefused {
  if (text.startsWith('"')) return splitQuoted(text)
  const open = text.indexOf("<")
  if (open === -1) return { ok: true, spec: text }
  if (!text.endsWith(">")) return refuse("Nothing may follow the address in <…>; enter one address per entry.")
  const name = text.slice(0, open).trim()
  if (/[@,;:()[\]\\">]/.test(name))
    return refuse(
      'A name that contains any of @ , ; : ( ) [ ] \\ " > must be in double quotes: "Acme, Inc." <a@acme.example>.',
    )
  return { ok: true, name, spec: text.slice(open + 1, -1) }
}

function splitQuoted(text: string): Parts | AddressRefused {
  const quoted = readQuoted(text)
  if (!quoted) return refuse("The quoted name has no closing quote.")
  const rest = text.slice(quoted.end).trimStart()
  if (rest.startsWith("@")) return refuse("A quoted local part is not supported.")
  if (!rest.startsWith("<") || !rest.endsWith(">"))
    return refuse("A quoted name must be followed by one address in <…>.")
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
  if (spec.normalize("NFKC") !== spec)
    return refuse("The address contains characters that change when normalised (NFKC).")
  const at = spec.indexOf("@")
  if (at === -1) return refuse("An address must have the form local@domain.")
  const fault = faultOfShape(spec)
  if (fault) return refuse(fault)

  const local = spec.slice(0, at)
  const faultBefore = faultOfLocal(local)
  if (faultBefore) return refuse(faultBefore)
  const domain = domainOf(spec.slice(at + 1))
  if (!domain.ok) return domain
  const address = `${local}@${domain.ascii}`
  if (address.length > addressMax) return refuse(`An address has at most ${addressMax} characters.`)
  return { ok: true, address, canonical: `${local.toLowerCase()}@${domain.ascii}`, local, domain: domain.ascii }
}

function faultOfShape(spec: string): string | null {
  if (/[,;]/.test(spec)) return "Enter one address, not a list or a group."
  if (/[()]/.test(spec)) return "Comments in parentheses are not supported."
  if (spec.startsWith("@")) return spec.includes(":") ? "Routes are not supported." : "The part before @ is missing."
  if (spec.includes('"') || spec.includes("\\")) return "A quoted local part is not supported."
  if (spec.includes("[") || spec.includes("]")) return "An address literal such as [127.0.0.1] is not supported."
  if (spec.indexOf("@") !== spec.lastIndexOf("@")) return "An address must have exactly one @."
  if (/[\s<>]/.test(spec)) return "An address must not contain spaces, < or >."
  if (spec.includes(":")) return "An address must not have a port, scheme or group name."
  return null
}

function faultOfLocal(local: string): string | null {
  if (local.length > localPartMax) return `The part before @ has at most ${localPartMax} characters.`
  if (/[^\x20-\x7e]/.test(local)) return "The part before @ may hold only the letters a to z, digits and ASCII symbols."
  if (local.startsWith(".") || local.endsWith(".") || local.includes(".."))
    return "The part before @ must not begin or end with a dot or contain two in a row."
  // Both are legal atoms, but a later reader may decode them into an @ or a line break.
  if (local.includes("=?")) return "Encoded words are not supported in an address."
  if (/%[0-9a-f]{2}/i.test(local)) return "Percent-encoded characters are not supported in an address."
  if (!/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/.test(local))
    return "The part before @ contains a character that is not allowed."
  return null
}

type AsciiDomain = { ok: true; ascii: string }

function domainOf(text: string): AsciiDomain | AddressRefused {
  if (text === "") return refuse("The part after @ is missing.")
  if (text.endsWith(".")) return refuse("The domain must not end with a dot.")
  const ascii = toAscii(text)
  if (ascii === null) return refuse("The part after @ is not a domain name.")
  if (ascii.length > domainMax) return refuse(`A domain has at most ${domainMax} characters.`)
  const labels = ascii.split(".")
  if (!labels.every(isLabel)) return refuse("The part after @ is not a domain name.")
  const top = labels.at(-1) ?? ""
  if (labels.length < 2) return refuse("The domain needs at least one dot, as in example.com.")
  if (/^(\d+|0x[0-9a-f]*)$/.test(top)) return refuse("The part after @ is an IP address, not a domain name.")
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

function refuse(reason: string): AddressRefused {
  return { ok: false, reason }
}
