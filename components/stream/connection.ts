export type Connection =
  | { state: "connecting" }
  | { state: "open" }
  /** Lost: tried again at this moment, in milliseconds since 1970. */
  | { state: "waiting"; until: number; attempt: number }
  /** Refused for a reason that waiting does not mend. */
  | { state: "refused"; reason: string; requestId?: string }

const firstMs = 1_000
const longestMs = 30_000

/** How long to wait before the nth new try, in milliseconds: doubled each time, up to 30 s, spread by a fifth. */
export function backoff(attempt: number, random: () => number): number {
  const step = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 10))
  return Math.round(step * (0.8 + random() * 0.4))
}
