import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"
import { networkOf } from "@/lib/platform/http/client-address"
import type { Endpoint } from "@/lib/platform/http/endpoint"
import { env } from "@/lib/platform/env/env"
import { perProcess } from "@/lib/platform/per-process"
import { tooManyRequests } from "@/lib/platform/http/problems"
import type { RequestInfo } from "@/lib/platform/http/scope"

/** Counted per process, so that requests without a credential cost the database nothing. */
function requests(): RateLimiterMemory {
  const points = env().publicRequestsPerMinute
  return perProcess("public requests", () => new RateLimiterMemory({ points, duration: 60 }))
}

/** Counts a request of a public operation by the network of its client. @throws tooManyRequests */
export async function admit({ operationId }: Endpoint, { ip }: RequestInfo): Promise<void> {
  try {
    await requests().consume(`${operationId} ${networkOf(ip)}`)
  } catch (refused) {
    const seconds = refused instanceof RateLimiterRes ? refused.msBeforeNext / 1000 : 60
    throw tooManyRequests(undefined, { retryAfterSeconds: seconds })
  }
}
