import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible"
import { pool } from "@/lib/platform/db"
import type { Bucket } from "@/lib/platform/endpoint"
import { rateLimited } from "@/lib/access/problems"

/**
 * Takes one place in the bucket of `holder` (a key or a person). Exact over all processes: one counter in the database.
 * Requests of this process that wait for the same bucket share one statement, and get their places in order.
 * @returns the X-RateLimit headers
 * @throws rateLimited with the seconds to the window's end
 */
export async function spend(bucket: Bucket, holder: string): Promise<Record<string, string>> {
  const { place, msToEnd } = await takePlace(bucket, holder)
  const secondsToEnd = Math.max(1, Math.ceil(msToEnd / 1000))
  const headers = {
    "X-RateLimit-Limit": String(bucket.requests),
    "X-RateLimit-Remaining": String(Math.max(0, bucket.requests - place)),
    "X-RateLimit-Reset": String(secondsToEnd),
  }
  if (place <= bucket.requests) return headers
  throw rateLimited(`${bucket.requests} requests in ${bucket.seconds} s are allowed here.`, {
    retryAfterSeconds: secondsToEnd,
    headers,
  })
}

type Place = { place: number; msToEnd: number }
type Waiter = { resolve: (place: Place) => void; reject: (error: unknown) => void }
type Line = { waiting: Waiter[]; serving: boolean }

const lines = new Map<string, Line>()
const limiters = new Map<string, RateLimiterPostgres>()

function takePlace(bucket: Bucket, holder: string): Promise<Place> {
  const key = `${bucket.policy}|${holder}`
  const line = lines.get(key) ?? { waiting: [], serving: false }
  lines.set(key, line)
  return new Promise((resolve, reject) => {
    line.waiting.push({ resolve, reject })
    if (!line.serving) void serveLine(bucket, holder, key, line)
  })
}

async function serveLine(bucket: Bucket, holder: string, key: string, line: Line) {
  line.serving = true
  while (line.waiting.length) {
    const group = line.waiting.splice(0)
    try {
      const counted = await count(bucket, holder, group.length)
      const before = counted.consumedPoints - group.length
      group.forEach((waiter, index) => waiter.resolve({ place: before + index + 1, msToEnd: counted.msBeforeNext }))
    } catch (error) {
      group.forEach((waiter) => waiter.reject(error))
    }
  }
  line.serving = false
  lines.delete(key)
}

async function count(bucket: Bucket, holder: string, points: number): Promise<RateLimiterRes> {
  try {
    return await limiterOf(bucket).consume(holder, points)
  } catch (refused) {
    // The library rejects with the count when it is over the limit; the places before that still pass.
    if (refused instanceof RateLimiterRes) return refused
    throw refused
  }
}

function limiterOf(bucket: Bucket): RateLimiterPostgres {
  const name = `${bucket.policy}|${bucket.requests}|${bucket.seconds}`
  const known = limiters.get(name)
  if (known) return known
  const limiter = new RateLimiterPostgres({
    storeClient: pool(),
    storeType: "pool",
    tableName: "rate_windows",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: bucket.policy,
    points: bucket.requests,
    duration: bucket.seconds,
  })
  limiters.set(name, limiter)
  return limiter
}
