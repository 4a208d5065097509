import { hourMs } from "@/lib/platform/time"

/** How much of the day's allowance was used at a time. */
export type UsageReading = { at: Date; used: number }

export type Forecast = {
  /** The next midnight UTC. */
  resetsAt: Date
  /** Sends an hour at the present pace; undefined while too little is known. */
  perHour?: number
  /** When the allowance is used up at this pace, if that is before it is refilled. */
  runsOutAt?: Date
}

const leastMs = 15 * 60_000
/**
 * When the day's allowance runs out if sending goes on at the pace since an earlier reading of the same UTC day. Over less
 * than 15 minutes a single peak would look like a pace.
 */
export function forecastOf({
  now,
  used,
  limit,
  earlier,
}: {
  now: Date
  used: number
  limit: number
  earlier: UsageReading | null
}): Forecast {
  const resetsAt = new Date(now)
  resetsAt.setUTCHours(24, 0, 0, 0)
  const passedMs = earlier ? now.getTime() - earlier.at.getTime() : 0
  if (!earlier || passedMs < leastMs || dayOf(earlier.at) !== dayOf(now)) return { resetsAt }

  const sent = Math.max(0, used - earlier.used)
  const perHour = Math.round((sent / passedMs) * hourMs)
  if (sent === 0 || used >= limit) return { resetsAt, perHour }
  const runsOutMs = now.getTime() + Math.ceil(((limit - used) / sent) * passedMs)
  return runsOutMs < resetsAt.getTime() ? { resetsAt, perHour, runsOutAt: new Date(runsOutMs) } : { resetsAt, perHour }
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
