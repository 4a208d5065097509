import { dayMs } from "@/lib/platform/time"

/** What an address may send on each day of its warm-up; on the day after the last one it has no cap any more. */
export const warmUpCaps = [200, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 200_000] as const
/** The day on which it has no cap any more. */
export const warmUpDays = warmUpCaps.length + 1

/** The share of a day's cap that one provider gets at most. */
export const providerShare = 0.5

/** What a day of a warm-up may have, of what was sent on it, to count. */
export const ratesMax = { deferred: 0.05, bounced: 0.02, complained: 0.001 } as const

/** What left from an address on a day. */
export type DayCounts = { sent: number; deferred: number; bounced: number; complained: number }

/** On which day of its warm-up an address is, and which date that is, as `YYYY-MM-DD`. */
export type WarmUp = { day: number; on: string }

/** A day on which nothing was sent proves nothing. */
export function dayCounts({ sent, ...counts }: DayCounts): boolean {
  if (sent === 0) return false
  return (Object.keys(ratesMax) as (keyof typeof ratesMax)[]).every((name) => counts[name] < ratesMax[name] * sent)
}

/** The warm-up on a later date: one day further if the one before counts, however long ago it was; null when it is over. */
export function warmUpAt(warmUp: WarmUp, today: string, counts: DayCounts): WarmUp | null {
  if (today <= warmUp.on) return warmUp
  const day = dayCounts(counts) ? warmUp.day + 1 : warmUp.day
  return day < warmUpDays ? { day, on: today } : null
}

/** Zero until the warm-up begins. */
export function capOf({ day, on }: WarmUp, today: string): number {
  return today < on ? 0 : (warmUpCaps[day - 1] ?? Infinity)
}

/** The midnights (UTC) after which email that waits now may still leave: it fails 72 hours after it was accepted. */
const lifeDays = 3

/** What an address may send from the next midnight on before email that was accepted now fails, if each day counts. */
export function capWithinLife({ day, on }: WarmUp, today: string): number {
  const from = Date.parse(on > today ? on : today)
  let sum = 0
  for (let next = 1; next <= lifeDays; next++) {
    const passed = Math.round((Date.parse(today) + next * dayMs - from) / dayMs)
    if (passed >= 0) sum += warmUpCaps[day - 1 + passed] ?? Infinity
  }
  return sum
}

/** The date in UTC, in which days of warm-ups are counted. */
export function utcDate(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Midnight UTC after the date. */
export function endOf(date: string): Date {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 3_600_000)
}

/** What mail of an address does where that is refused. `spill`: what has not been attempted leaves from another one of the pool. */
export const onBlockOptions = ["wait", "spill"] as const
export type OnBlock = (typeof onBlockOptions)[number]
