import { authorize } from "@/lib/access/authorize"
import { authenticate } from "@/lib/access/credentials/credentials"
import { sessionBucket } from "@/lib/access/limits/bucket-table"
import { createMemoryLimit, type MemoryLimit } from "@/lib/access/limits/memory-limit"
import { RequestCount } from "@/lib/access/limits/request-count"
import { env } from "@/lib/platform/env/env"
import type { Asked } from "@/lib/platform/http/asked"
import { networkOf } from "@/lib/platform/http/client-address"
import type { Endpoint } from "@/lib/platform/http/endpoint"
import { tooManyRequests } from "@/lib/platform/http/problems"
import type { RequestInfo } from "@/lib/platform/http/scope"
import type { Guard } from "@/lib/platform/http/serve"
import { perProcess } from "@/lib/platform/per-process"

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
