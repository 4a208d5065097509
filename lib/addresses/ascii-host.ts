import { parseUrl } from "@/lib/platform/url-rules"

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
