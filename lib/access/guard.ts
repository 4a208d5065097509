import { authorize } from "@/lib/access/authorize"
import { sessionBucket, RequestCount } from "@/lib/access/limits/data"
import { env } from "@/lib/platform/env/env"
import { type Asked, type Endpoint, methodOf } from "@/lib/platform/http/endpoint"
import { networkOf } from "@/lib/platform/networks"
import { tooManyRequests, organizationMoved, serviceUnavailable } from "@/lib/platform/http/problems"
import type { RequestInfo, Principal } from "@/lib/platform/http/scope"
import type { Guard } from "@/lib/platform/http/serve"
import { perProcess } from "@/lib/platform/per-process"
import { counter } from "@/lib/platform/metrics"
import type { Problem } from "@/lib/platform/http/problem"
import { hashOfKey, liveKey } from "@/lib/access/credentials/keys"
import type { LiveKey } from "@/lib/access/credentials/data"
import { credentialsInvalid, credentialsMissing, crossOrigin, tooManyFailures } from "@/lib/access/problems"
import { sameOrigin, liveSession, sessionIdOf } from "@/lib/access/credentials/session"

/** Counted per process, so that requests without a credential cost the database nothing. */
function requests(): MemoryLimit {
  return perProcess("public requests", () => createMemoryLimit(env().publicRequestsPerMinute))
}

/** Counts a request of a public operation by the network of its client. @throws tooManyRequests */
function countPublicRequest({ operationId }: Endpoint, { ip }: RequestInfo) {
  const waitMs = requests().take(`${operationId} ${networkOf(ip)}`)
  if (waitMs > 0) throw tooManyRequests(undefined, { retryAfterSeconds: waitMs / 1000 })
}

/** The checks before every operation: credential, rate limit, project, permission. */
export const guard: Omit<Guard, "answered"> = {
  admit: countPublicRequest,
  authenticate,
  authorize,
  async count(endpoint, principal, asked) {
    const bucket = principal.kind === "session" ? sessionBucket : endpoint.bucket
    if (!bucket) return null
    const count = new RequestCount(bucket, principal.kind === "session" ? principal.userId : principal.keyId)
    // Who is over the limit is refused before a body is read and parsed.
    const later = endpoint.countsInRun && bytesOf(asked) <= uncountedBytesMax && !count.isFull
    if (!later) await count.take()
    return count
  },
}

/** Bytes of a body that is read before its request is counted. */
const uncountedBytesMax = 64 * 1024

function bytesOf({ headers }: Asked): number {
  return Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY)
}

const challenge = { headers: { "WWW-Authenticate": "Bearer" } }

const failed = counter("mailroom_credentials_refused_total", "Requests without a valid credential.")

/** Counted per process, so that failed requests cost the database nothing. */
function failures(): MemoryLimit {
  return perProcess("failed credentials", () => createMemoryLimit(env().failedCredentialsPerMinute))
}

/**
 * The caller: an API key, or a signed-in user. `Authorization` takes precedence over the cookie; an invalid one is refused
 * whatever the cookie says.
 * @throws credentialsMissing, credentialsInvalid, crossOrigin, tooManyFailures, organizationMoved, serviceUnavailable
 */
async function authenticate(request: Asked, endpoint: Endpoint, info: RequestInfo): Promise<Principal> {
  const authorization = request.headers.get("authorization")
  const principal = authorization === null ? await bySession(request, endpoint) : await byKey(authorization)
  if (principal) return principal
  countFailure(info.ip)
  throw authorization === null ? credentialsMissing(undefined, challenge) : credentialsInvalid(undefined, challenge)
}

async function byKey(authorization: string): Promise<Principal | null> {
  const [scheme = "", text = "", ...more] = authorization.split(" ")
  const hash = scheme.toLowerCase() === "bearer" && more.length === 0 ? hashOfKey(text) : null
  const key = hash && (await liveKey(hash))
  if (key?.away) throw awayFrom(key.away)
  return key ? key.principal : null
}

/** A router that knows no better asks the cell that is named. */
function awayFrom({ state, cell }: NonNullable<LiveKey["away"]>): Problem {
  if (state === "left") return organizationMoved(undefined, { headers: { "Mailroom-Cell": cell } })
  return serviceUnavailable("The organization is being moved to another cell. Try again after `Retry-After` seconds.", {
    retryAfterSeconds: 1,
  })
}

async function bySession(request: Asked, endpoint: Endpoint): Promise<Principal | null> {
  const sessionId = await sessionIdOf(request.headers.get("cookie"))
  const session = sessionId ? await liveSession(sessionId) : null
  if (!session) return null
  if (methodOf(endpoint) !== "GET" && !sameOrigin(request)) throw crossOrigin()
  return session
}

function countFailure(ip: string) {
  failed.inc()
  const waitMs = failures().take(networkOf(ip))
  if (waitMs > 0) throw tooManyFailures(undefined, { retryAfterSeconds: waitMs / 1000 })
}

const windowMs = 60_000

/** How often something may happen in a minute, counted in the memory of this process. */
type MemoryLimit = {
  /** Counts one; the result is 0, or in how many ms the limit of this key begins anew. */
  take(key: string): number
}

/**
 * A window begins with the first call of its key. Windows that have ended are forgotten once a minute, so that
 * memory follows the number of keys of the last two minutes.
 */
export function createMemoryLimit(max: number, nowMs: () => number = () => performance.now()): MemoryLimit {
  const windows = new Map<string, { endsAt: number; taken: number }>()
  let sweepAt = nowMs() + windowMs

  function sweep(now: number) {
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key)
    sweepAt = now + windowMs
  }

  return {
    take(key) {
      const now = nowMs()
      if (now >= sweepAt) sweep(now)
      const known = windows.get(key)
      const window = known && known.endsAt > now ? known : { endsAt: now + windowMs, taken: 0 }
      windows.set(key, window)
      window.taken += 1
      return window.taken > max ? window.endsAt - now : 0
    },
  }
}
