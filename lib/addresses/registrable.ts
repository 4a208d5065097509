import { parse } from "tldts"
import { hostname, hostnameMax, type HostnameRead } from "@/lib/addresses/hostname"

/** The longest name that our records put before a domain. */
const longestPrefix = "mrabcdefa._domainkey.".length

/**
 * A host name that may be registered for sending: `hostname` and, besides, neither a public suffix (co.uk, github.io)
 * nor a name of this service. `own` are the service's domains; what lies under them is its own too.
 * Separate from `hostname`, because the list of suffixes is too large for the browser.
 */
export function sendingHostname(text: string, own: string[]): HostnameRead {
  const read = hostname(text)
  if (!read.ok) return read
  if (registrableDomain(read.ascii) === null) {
    return { ok: false, reason: "is a public suffix, under which others register; a domain of your own is needed." }
  }
  const lengthMax = hostnameMax - longestPrefix
  if (read.ascii.length > lengthMax) {
    return {
      ok: false,
      reason: `is longer than ${lengthMax} characters, which leaves no room for the names of its records.`,
    }
  }
  if (own.some((domain) => read.ascii === domain || read.ascii.endsWith(`.${domain}`))) {
    return { ok: false, reason: "belongs to this service; a domain of your own is needed." }
  }
  return read
}

/** The organizational domain by the public suffix list: acme.co.uk for mail.acme.co.uk, null for co.uk. */
export function registrableDomain(ascii: string): string | null {
  return parse(ascii, { allowPrivateDomains: true }).domain
}
