/** The window of a rate limit in which a request counts, and how many requests it allows. */
export type RateWindow = { key: string; windowMs: number; requests: number }

/** How many requests the window has counted with this one, and the time to its end. */
export type Taken = { count: number; msToEnd: number }

/**
 * The count of one request in its rate limit window. Every request is counted once, before its answer: by a statement of its own, or
 * by one that its operation makes anyway (`Endpoint.countsInRun`).
 */
export type RateCount = {
  /** The rate limit that counts it. */
  readonly policy: string
  /** Where the request is still to be counted; null once it is. */
  readonly due: RateWindow | null
  /** The X-RateLimit headers; none until it is counted. */
  readonly headers: Record<string, string>
  /** Counts the request, unless that is done. @throws Problem 429 */
  take(): Promise<void>
  /** Tells what a statement of the operation has counted. @throws Problem 429 */
  settle(taken: Taken): void
}
