/** Seconds between attempts: the first is made at once, the tenth after some three days. */
const waitsSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Random variation of each wait, so that deliveries that failed together are not retried together. */
const spread = 0.2
const waitMaxSeconds = 86_400

/**
 * Seconds until the next attempt; null when there is none.
 *
 * @param attempts attempts that ended, from 1
 * @param random a number from 0 up to 1
 * @param retryAfterSeconds what the endpoint asked for; it can only make the wait longer, up to a day
 */
export function nextWaitSeconds(attempts: number, random: number, retryAfterSeconds = 0): number | null {
  const wait = waitsSeconds[attempts - 1]
  if (wait === undefined) return null
  return Math.max(wait * (1 - spread + 2 * spread * random), Math.min(waitMaxSeconds, retryAfterSeconds))
}

/** The header `Retry-After` in seconds: a number, or a time. 0 for anything else. */
export function retryAfterSeconds(header: string | undefined, now: Date): number {
  if (!header) return 0
  if (/^[0-9]{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now.getTime()) / 1_000)
}
