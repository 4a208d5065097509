import type { Asked } from "@/lib/platform/http/asked"
import type { Endpoint } from "@/lib/platform/http/endpoint"
import { methodOf } from "@/lib/platform/http/endpoint"
import { networkOf } from "@/lib/platform/http/client-address"
import { env } from "@/lib/platform/env/env"
import { counter } from "@/lib/platform/metrics"
import type { Problem } from "@/lib/platform/http/problem"
import { organizationMoved, serviceUnavailable } from "@/lib/platform/http/problems"
import { perProcess } from "@/lib/platform/per-process"
import type { Principal, RequestInfo } from "@/lib/platform/http/scope"
import { hashOfKey } from "@/lib/access/credentials/keys"
import type { LiveKey } from "@/lib/access/credentials/data"
import { liveKey } from "@/lib/access/credentials/key-cache"
import { credentialsInvalid, credentialsMissing, crossOrigin, tooManyFailures } from "@/lib/access/problems"
import { createMemoryLimit, type MemoryLimit } from "@/lib/access/limits/memory-limit"
import { sameOrigin } from "@/lib/access/credentials/same-origin"
import { liveSession, sessionIdOf } from "@/lib/access/credentials/session"

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
export async function authenticate(request: Asked, endpoint: Endpoint, info: RequestInfo): Promise<Principal> {
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
