import type { Breakdown } from "@/lib/metrics/rules"
import { dayMs } from "@/lib/platform/time"

/** A notification about a rate: when it was sent, and when the rate was no longer critical. */
export type RateTold = { toldAt: Date; recoveredAt: Date | null }

/** At most one notice about a rate in this time. */
export const quietMs = 7 * dayMs

/** Whether to notify of a critical rate: the first time, then only if it has recovered since and a week has passed. */
export function mayTell(last: RateTold | undefined, now: Date): boolean {
  return !last || (last.recoveredAt !== null && now.getTime() - last.toldAt.getTime() >= quietMs)
}

/** Email of one topic, tag, sender or provider: how much of it there was, and how much of that bounced or was complained about. */
export type Part = { by: Breakdown; key: string; count: number; of: number }

/** A part is a cause if it has this share of what is counted, and this many times its share of the email. */
const least = { share: 0.3, lift: 1.25 }

/** The part with the most beyond what the average would give it: the part with the most email alone explains nothing. */
export function largestCause(parts: readonly Part[], total: { count: number; of: number }): Part | null {
  const average = total.of > 0 ? total.count / total.of : 0
  const excess = ({ count, of }: Part) => count - average * of
  const causes = parts.filter(
    ({ count, of }) => count > 0 && count >= least.share * total.count && count >= least.lift * average * of,
  )
  return causes.reduce<Part | null>((best, part) => (best && excess(best) >= excess(part) ? best : part), null)
}
