import { registrableDomain } from "@/lib/addresses/registrable"
import { probe } from "@/lib/platform/outbound/request"
import { judgeUrl, type OutboundGuard, type Target, type Resolve } from "@/lib/platform/outbound/target"
import { parseUrl } from "@/lib/platform/url-rules"

export type CheckedLink = {
  url: string
  status: LinkStatus
  statusCode?: number | undefined
  /** Why it does not work, or what may count against the email. */
  error?: string | undefined
}

export type Outside = {
  guard: OutboundGuard
  resolve: Resolve
  /** Runs a request to a host when its turn has come. */
  inTurn<T>(host: string, work: () => Promise<T>): Promise<T>
}

/** For all requests of a link; waiting for its turn does not count. */
const linkMs = 5_000
const headers = { "user-agent": "Mailroom-Link-Check/1.0", accept: "text/html,*/*;q=0.8" }

/** Requests a link and follows its redirects, each judged by the guard anew. Never rejects. */
export async function checkLink(url: string, outside: Outside, signal: AbortSignal): Promise<CheckedLink> {
  const skipped = skipReason(url)
  if (skipped) return { url, status: "skipped", error: skipped }
  const fault = faultOf(url)
  if (fault) return { url, status: "broken", error: fault }
  const trip: Trip = { outside, signal, visited: [], leftMs: linkMs }
  try {
    return { url, ...(await follow(url, trip)) }
  } catch (error) {
    return { url, status: "error", error: reasonOf(error, trip) }
  }
}

type Trip = { outside: Outside; signal: AbortSignal; visited: URL[]; leftMs: number }

async function follow(url: string, trip: Trip): Promise<Omit<CheckedLink, "url">> {
  const { visited } = trip
  for (let next = url; visited.length <= redirectsMax;) {
    const target = judgeUrl(next, trip.outside.guard)
    if (!target.ok) return { status: "error", error: visited.length ? `It redirects: ${target.reason}` : target.reason }
    visited.push(target.url)
    const { status: statusCode, location } = await ask(target, trip)
    const isRedirect = statusCode >= 300 && statusCode < 400 && location !== undefined
    const redirect = isRedirect ? parseUrl(location, target.url) : null
    if (!redirect) return conclusion(statusCode, visited)
    next = redirect.href
  }
  return { status: "error", error: `It redirects more than ${redirectsMax} times.` }
}

function conclusion(statusCode: number, visited: readonly URL[]): Omit<CheckedLink, "url"> {
  const { status, note } = verdictOf(statusCode)
  const notes = [...(note ? [note] : []), ...warningsOf(visited, registrableDomain)]
  return {
    status: status === "ok" && visited.length > 1 ? "redirected" : status,
    statusCode,
    error: notes.length ? notes.join(" ") : undefined,
  }
}

/** HEAD; what HEAD does not answer well is asked again with GET, since some servers know no other method. */
function ask(target: Target, trip: Trip) {
  return trip.outside.inTurn(target.url.host, async () => {
    const head = await request("HEAD", target, trip).catch((error: unknown) => {
      if (isOver(trip)) throw error
      return null
    })
    return head && head.status < 400 ? head : request("GET", target, trip)
  })
}

async function request(method: "HEAD" | "GET", target: Target, trip: Trip) {
  const { guard, resolve } = trip.outside
  const { signal } = trip
  signal.throwIfAborted()
  const startedAt = performance.now()
  try {
    return await probe({ guard, resolve, target, method, headers, timeoutMs: Math.max(1, trip.leftMs), signal })
  } finally {
    trip.leftMs -= performance.now() - startedAt
  }
}

function isOver({ signal, leftMs }: Trip): boolean {
  // A timer may fire a moment early.
  return signal.aborted || leftMs < 20
}

function reasonOf(error: unknown, trip: Trip): string {
  if (isOver(trip)) return `The server did not answer within ${linkMs / 1_000} seconds.`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "ECONNREFUSED") return "The server refuses connections."
  if (code === "ECONNRESET") return "The server closed the connection without an answer."
  return message || "The server could not be reached."
}

export const linkStatuses = ["ok", "redirected", "broken", "error", "skipped"] as const

type LinkStatus = (typeof linkStatuses)[number]

/** Links of a document that are checked; the others are listed as skipped. */
export const checkedMax = 100

export const redirectsMax = 5

/** Hosts whose links hide where they lead, which filters hold against an email. */
const shorteners = new Set([
  ...["bit.ly", "bitly.com", "buff.ly", "cutt.ly", "goo.gl", "is.gd", "lnkd.in", "ow.ly", "rb.gy", "rebrand.ly"],
  ...["shorturl.at", "t.co", "t.ly", "tiny.cc", "tinyurl.com", "v.gd"],
])

/** Why a link is not requested: it leads to no web server, or is written for another program to fill in. */
function skipReason(url: string): string | null {
  if (url === "") return "The link has no URL."
  if (/^(\{\{|\{%|<%|\[\[|%%|\*\|)/.test(url)) return "A placeholder of a template has no URL before it is filled in."
  if (url.startsWith("#")) return "It leads to a place in the email itself."
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme && scheme !== "http" && scheme !== "https") return `Links with ${scheme}: are not requested.`
  return null
}

/** Why a link cannot work, whatever a server answers. */
function faultOf(url: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return parseUrl(url) ? null : "It is not a valid URL."
  return "It is relative, and an email has no address that it could be relative to. Begin it with https://."
}

/** What may keep an email from being delivered although its link works. `visited` are the URLs from first to last. */
function warningsOf(visited: readonly URL[], domainOf: (host: string) => string | null): string[] {
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
function verdictOf(statusCode: number): { status: "ok" | "broken"; note?: string } {
  if (statusCode < 400) return { status: "ok" }
  // 999 is what a large network answers to whatever is no browser.
  if ([401, 403, 405, 406, 429, 503, 999].includes(statusCode))
    return { status: "ok", note: `The server answers ${statusCode} to automated requests: open the link yourself.` }
  return { status: "broken", note: `The server answers ${statusCode}.` }
}
