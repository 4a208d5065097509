import { decode } from "next-auth/jwt"
import { findSession, touchSession } from "@/lib/access/credentials/data"
import { sessionProof } from "@/lib/access/people/data"
import { confirmationRequired } from "@/lib/access/problems"
import { recentlyConfirmed } from "@/lib/access/rules"
import type { Clock } from "@/lib/platform/time"
import { derivedSecret } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import type { SessionPrincipal } from "@/lib/platform/http/scope"
import { perProcess } from "@/lib/platform/per-process"

/** `__Host-` where the address is https: the cookie then cannot be set by a sibling host. */
export function sessionCookieName(): string {
  return secureCookies() ? "__Host-mailroom.session" : "mailroom.session"
}

export function secureCookies(): boolean {
  return env().baseUrl.startsWith("https:")
}

/** The secret that encrypts session tokens. */
export function sessionSecret(): string {
  return derivedSecret("session")
}

/** The id of the session that a Cookie header names, or null. Whether the session is live is still to be checked. */
export async function sessionIdOf(cookieHeader: string | null): Promise<string | null> {
  const token = cookieHeader && cookieValue(cookieHeader, sessionCookieName())
  if (!token) return null
  try {
    const claims = await decode({ token, secret: sessionSecret() })
    return typeof claims?.sid === "string" ? claims.sid : null
  } catch {
    return null
  }
}

/** The value of a cookie in a Cookie header, or null. */
export function cookieValue(cookieHeader: string, name: string): string | null {
  for (const pair of cookieHeader.split(";")) {
    const at = pair.indexOf("=")
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

const ageMaxMs = 1_000
/** `last_seen_at` is written at most this often a session. */
const touchEveryMs = 60_000

/** Reads that begin while another one of the same session runs share its answer: a page begins a dozen at once. */
type Entry = { session: Promise<SessionPrincipal | null>; readAt: number }

const { entries, touched } = perProcess("session cache", () => ({
  entries: new Map<string, Entry>(),
  touched: new Map<string, number>(),
}))

/** The signed-in user of a session, at most 1 s old; null when it was ended, is idle for 24 h or older than 14 d. */
export async function liveSession(sessionId: string): Promise<SessionPrincipal | null> {
  const now = performance.now()
  const known = entries.get(sessionId)
  if (known && now - known.readAt < ageMaxMs) return known.session
  const reading = findSession(sessionId)
  const entry = { session: reading, readAt: now }
  entries.set(sessionId, entry)
  if (entries.size > 1_000) prune(now)
  const session = await reading.catch((error: unknown) => {
    if (entries.get(sessionId) === entry) entries.delete(sessionId)
    throw error
  })
  if (session && now - (touched.get(sessionId) ?? -Infinity) > touchEveryMs) {
    touched.set(sessionId, now)
    await touchSession(sessionId)
  }
  // Whoever has just set up the second factor that was missing gets in at once.
  if (session?.withheld.size && entries.get(sessionId) === entry) entries.delete(sessionId)
  return session
}

/** The same as of now: for the page of signing in, to which a session that was just ended would return again and again. */
export function currentSession(sessionId: string): Promise<SessionPrincipal | null> {
  entries.delete(sessionId)
  return liveSession(sessionId)
}

function prune(now: number) {
  for (const [id, entry] of entries) if (now - entry.readAt > ageMaxMs) entries.delete(id)
  for (const [id, at] of touched) if (now - at > touchEveryMs) touched.delete(id)
}

/**
 * Requires that the user signed in or confirmed their password within the last 15 minutes, so that an unattended session
 * cannot create keys.
 * @throws confirmationRequired
 */
export async function mustBeConfirmed({ sessionId }: SessionPrincipal, clock: Clock): Promise<void> {
  const proof = await sessionProof(sessionId)
  if (!proof || !recentlyConfirmed(proof.confirmedAt, clock.now())) throw confirmationRequired()
}

/** True for a request from our own pages: by Fetch Metadata, or by the Origin header for browsers that do not send it. */
export function sameOrigin(request: { headers: Pick<Headers, "get"> }): boolean {
  const site = request.headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  return request.headers.get("origin") === new URL(env().baseUrl).origin
}
