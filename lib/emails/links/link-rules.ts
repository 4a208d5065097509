import { parseUrl } from "@/lib/platform/url-rules"

export const linkStatuses = ["ok", "redirected", "broken", "error", "skipped"] as const

export type LinkStatus = (typeof linkStatuses)[number]

/** Links of a document that are checked; the others are listed as skipped. */
export const checkedMax = 100

export const redirectsMax = 5

/** Hosts whose links hide where they lead, which filters hold against an email. */
const shorteners = new Set([
  ...["bit.ly", "bitly.com", "buff.ly", "cutt.ly", "goo.gl", "is.gd", "lnkd.in", "ow.ly", "rb.gy", "rebrand.ly"],
  ...["shorturl.at", "t.co", "t.ly", "tiny.cc", "tinyurl.com", "v.gd"],
])

/** Why a link is not requested: it leads to no web server, or is written for another program to fill in. */
export function skipReason(url: string): string | null {
  if (url === "") return "The link has no URL."
  if (/^(\{\{|\{%|<%|\[\[|%%|\*\|)/.test(url)) return "A placeholder of a template has no URL before it is filled in."
  if (url.startsWith("#")) return "It leads to a place in the email itself."
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme && scheme !== "http" && scheme !== "https") return `Links with ${scheme}: are not requested.`
  return null
}

/** Why a link cannot work, whatever a server answers. */
export function faultOf(url: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return parseUrl(url) ? null : "It is not a valid URL."
  return "It is relative, and an email has no address that it could be relative to. Begin it with https://."
}

/** What may keep an email from being delivered although its link works. `visited` are the URLs from first to last. */
export function warningsOf(visited: readonly URL[], domainOf: (host: string) => string | null): string[] {
  const [first, last] = [visited[0], visited.at(-1)]
  if (!first || !last) return []
  const isShort = shorteners.has(first.hostname.replace(/^www\./, ""))
  const domain = ({ hostname }: URL) => domainOf(hostname) ?? hostname
  const leavesDomain = domain(first) !== domain(last)
  return [
    ...(isShort
      ? [`${first.hostname} is a link shortener, which spam filters distrust: link to the page itself.`]
      : []),
    ...(leavesDomain && !isShort
      ? [`It redirects from ${first.hostname} to ${last.hostname}, as tracking links do: filters may distrust it.`]
      : []),
    ...(first.protocol === "http:" ? ["It is plain http: use https."] : []),
  ]
}

/** What the status of the last response says about a link. */
export function verdictOf(statusCode: number): { status: "ok" | "broken"; note?: string } {
  if (statusCode < 400) return { status: "ok" }
  // 999 is what a large network answers to whatever is no browser.
  if ([401, 403, 405, 406, 429, 503, 999].includes(statusCode))
    return { status: "ok", note: `The server answers ${statusCode} to automated requests: open the link yourself.` }
  return { status: "broken", note: `The server answers ${statusCode}.` }
}
