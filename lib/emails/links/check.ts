import { registrableDomain } from "@/lib/addresses/registrable"
import {
  faultOf,
  redirectsMax,
  skipReason,
  verdictOf,
  warningsOf,
  type LinkStatus,
} from "@/lib/emails/links/link-rules"
import { probe } from "@/lib/platform/outbound/request"
import { judgeUrl, type Guard, type Target } from "@/lib/platform/outbound/url"
import type { Resolve } from "@/lib/platform/outbound/resolve"
import { parseUrl } from "@/lib/platform/url-rules"
import { withTimeLimit } from "@/lib/platform/time-limit"

export type CheckedLink = {
  url: string
  status: LinkStatus
  statusCode?: number | undefined
  /** Why it does not work, or what may count against the email. */
  error?: string | undefined
}

export type Outside = { guard: Guard; resolve: Resolve }

const linkMs = 5_000
const headers = { "user-agent": "Mailroom-Link-Check/1.0", accept: "text/html,*/*;q=0.8" }

/** Requests a link and follows its redirects, each judged by the guard anew. Never rejects. */
export async function checkLink(url: string, outside: Outside, signal: AbortSignal): Promise<CheckedLink> {
  const skipped = skipReason(url)
  if (skipped) return { url, status: "skipped", error: skipped }
  const fault = faultOf(url)
  if (fault) return { url, status: "broken", error: fault }
  const deadline = withTimeLimit(signal, linkMs)
  const visited: URL[] = []
  try {
    return { url, ...(await follow(url, { outside, signal: deadline, visited })) }
  } catch (error) {
    return { url, status: "error", error: reasonOf(error, deadline) }
  }
}

type Trip = { outside: Outside; signal: AbortSignal; visited: URL[] }

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
async function ask(target: Target, { outside, signal }: Trip) {
  const request = (method: "HEAD" | "GET") => probe({ ...outside, target, method, headers, timeoutMs: linkMs, signal })
  const head = await request("HEAD").catch(() => null)
  signal.throwIfAborted()
  return head && head.status < 400 ? head : request("GET")
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `The server did not answer within ${linkMs / 1_000} seconds.`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "ECONNREFUSED") return "The server refuses connections."
  if (code === "ECONNRESET") return "The server closed the connection without an answer."
  return message || "The server could not be reached."
}
