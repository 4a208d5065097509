export type Connection =
  | { state: "connecting" }
  | { state: "open" }
  /** Lost: the next attempt is at this time, in milliseconds since 1970. */
  | { state: "waiting"; until: number; attempt: number }
  /** Refused for a reason that a retry does not fix. */
  | { state: "refused"; reason: string; requestId?: string }

const firstMs = 1_000
const longestMs = 30_000

/** Backoff before the nth retry in milliseconds: doubled each time, up to 30 s, with 20 % jitter. */
export function backoff(attempt: number, random: () => number): number {
  const step = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 10))
  return Math.round(step * (0.8 + random() * 0.4))
}
