import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"
import { networkOf } from "@/lib/platform/client-address"
import type { Endpoint } from "@/lib/platform/endpoint"
import { env } from "@/lib/platform/env"
import { tooManyRequests } from "@/lib/platform/problems"
import type { RequestInfo } from "@/lib/platform/scope"

// Counted in each process: nobody without a credential makes the database count.
let requests: RateLimiterMemory | undefined

/** Counts a request of a public operation by the network of its client. @throws tooManyRequests */
export async function admit({ operationId }: Endpoint, { ip }: RequestInfo): Promise<void> {
  try {
    requests ??= new RateLimiterMemory({ points: env().publicRequestsPerMinute, duration: 60 })
    await requests.consume(`${operationId} ${networkOf(ip)}`)
  } catch (refused) {
    const seconds = refused instanceof RateLimiterRes ? refused.msBeforeNext / 1000 : 60
    throw tooManyRequests(undefined, { retryAfterSeconds: seconds })
  }
}
