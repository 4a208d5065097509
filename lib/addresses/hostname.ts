import { parseUrl } from "@/lib/platform/url-rules"

export type HostnameRead = { ok: true; ascii: string } | { ok: false; reason: string }

/** Octets, without the final dot (RFC 1035 2.3.4). */
export const hostnameMax = 253
const labelMax = 63

/**
 * Reads a host name as people type it and returns its wire form: lower case, internationalized labels as A-labels
 * (UTS 46, non-transitional), without a final dot. The reason completes the sentence "This name …".
 */
export function hostname(text: string): HostnameRead {
  const fault = shapeFault(text)
  if (fault) return refused(fault)
  const ascii = asciiHost(text.replace(/[.。．｡]$/, ""))
  if (ascii === null) return refused("is not a host name: it contains a character or label that is not allowed.")
  // The URL standard reads 127.1 and 0x7f.0.0.1 as addresses, and so would a resolver.
  if (/^\d+(\.\d+){3}$/.test(ascii)) return refused("is an IP address; a domain name is needed.")
  const labels = ascii.split(".")
  if (labels.includes("")) return refused("has an empty part: two dots follow each other, or it begins with one.")
  if (ascii.includes("_")) return refused("contains an underscore, which is not allowed in a sending domain.")
  if (labels.some((label) => !/^[a-z0-9-]+$/.test(label)))
    return refused("may contain only letters, digits, hyphens and dots.")
  if (labels.some((label) => label.length > labelMax)) return refused(`has a part longer than ${labelMax} characters.`)
  if (labels.some((label) => /^-|-$/.test(label))) return refused("has a part that begins or ends with a hyphen.")
  if (ascii.length > hostnameMax) return refused(`is longer than ${hostnameMax} characters.`)
  if (labels.length < 2) return refused("has only one part; a domain such as acme.com is needed.")
  return { ok: true, ascii }
}

/** Refuses what the URL parser would silently drop or read as something else. */
function shapeFault(text: string): string | null {
  if (text === "") return "is empty."
  // Longer than any name in any script can be: not worth converting.
  if (text.length > 1000) return `is longer than ${hostnameMax} characters.`
  if (/[\s\p{Cc}]/u.test(text)) return "contains white space or a control character."
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "contains a scheme; leave out everything up to //."
  if (text.includes("@")) return "looks like an email address; only the part after the @ is needed."
  if (text.includes("*")) return "is a wildcard; register each sending domain by its own name."
  if (/[/\\?#]/.test(text)) return "contains a path; only the host name is needed."
  if (/^\[.*\]?$/.test(text) || (text.match(/:/g) ?? []).length > 1) return "is an IP address; a domain name is needed."
  if (text.includes(":")) return "contains a port; only the host name is needed."
  if (/[%<>^|`{}"',;&=+$!()~]/.test(text)) return "may contain only letters, digits, hyphens and dots."
  return null
}

function refused(reason: string): HostnameRead {
  return { ok: false, reason }
}

/**
 * A host in its wire form: lower case, internationalized labels as A-labels (UTS 46, non-transitional). Null for what is none. The URL
 * standard takes a host in ASCII as it is, even with A-labels that encode nothing; beside a label in another script it checks them all.
 */
export function asciiHost(text: string): string | null {
  // What a URL would drop, decode or end its host at.
  if (/[\s\p{Cc}/\\?#:@%[\]]/u.test(text)) return null
  const host = parseUrl(`http://${text}/`)?.hostname ?? null
  if (host === null || !/(^|\.)xn--/.test(host)) return host
  return parseUrl(`http://é.${host}/`) && host
}

/** An address as it is in SMTP, with its domain in ASCII; what is none stays as it is. smtp-server decodes A-labels. */
export function wireAddress(address: string): string {
  const domainAt = address.lastIndexOf("@") + 1
  const domain = address.slice(domainAt)
  const isAscii = /^[\x00-\x7f]*$/.test(domain)
  return domainAt === 0 || isAscii ? address : `${address.slice(0, domainAt)}${asciiHost(domain) ?? domain}`
}
