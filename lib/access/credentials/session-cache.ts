import { perProcess } from "@/lib/platform/per-process"
import type { SessionPrincipal } from "@/lib/platform/http/scope"
import { findSession } from "@/lib/access/credentials/principal-sql"
import { touchSession } from "@/lib/access/credentials/session-sql"

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
