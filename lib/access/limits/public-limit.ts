import { createMemoryLimit, type MemoryLimit } from "@/lib/access/limits/memory-limit"
import { networkOf } from "@/lib/platform/http/client-address"
import type { Endpoint } from "@/lib/platform/http/endpoint"
import { env } from "@/lib/platform/env/env"
import { perProcess } from "@/lib/platform/per-process"
import { tooManyRequests } from "@/lib/platform/http/problems"
import type { RequestInfo } from "@/lib/platform/http/scope"

/** Counted per process, so that requests without a credential cost the database nothing. */
function requests(): MemoryLimit {
  return perProcess("public requests", () => createMemoryLimit(env().publicRequestsPerMinute))
}

/** Counts a request of a public operation by the network of its client. @throws tooManyRequests */
export function countPublicRequest({ operationId }: Endpoint, { ip }: RequestInfo) {
  const waitMs = requests().take(`${operationId} ${networkOf(ip)}`)
  if (waitMs > 0) throw tooManyRequests(undefined, { retryAfterSeconds: waitMs / 1000 })
}
