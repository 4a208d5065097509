import type { Asked } from "@/lib/platform/http/asked"
import type { Guard } from "@/lib/platform/http/serve"
import { authenticate } from "@/lib/access/credentials/credentials"
import { authorize } from "@/lib/access/authorize"
import { sessionBucket } from "@/lib/access/limits/bucket-table"
import { RequestCount } from "@/lib/access/limits/request-count"
import { countPublicRequest } from "@/lib/access/limits/public-limit"

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
