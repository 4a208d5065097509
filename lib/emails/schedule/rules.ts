import type { FieldProblem } from "@/lib/platform/http/problem"
import { timestamp } from "@/lib/platform/schema"
import { dayMs, hourMs } from "@/lib/platform/time"

const aheadMinMs = 30_000
const aheadMaxMs = 30 * dayMs

/** The time to which a request puts an email off; null for none. What is wrong with it is added to the faults. */
export function scheduleOf({ scheduledAt }: { scheduledAt?: string }, now: Date, faults: FieldProblem[]): Date | null {
  if (scheduledAt === undefined) return null
  const refuse = (detail: string) => {
    faults.push({ pointer: "/scheduledAt", detail })
    return null
  }
  if (scheduledAt === "optimal") return refuse("Give a time; `optimal` is chosen when an email is sent.")
  const { data: at, error } = timestamp.safeParse(scheduledAt)
  if (!at) return refuse(error?.issues[0]?.message ?? "Must be a time.")
  const fault = scheduleFault(at, now)
  return fault ? refuse(fault) : at
}

/** Why nothing can be scheduled for this time; null if it can. */
export function scheduleFault(at: Date, now: Date): string | null {
  const ahead = at.getTime() - now.getTime()
  return ahead < aheadMinMs || ahead > aheadMaxMs ? "Must be 30 seconds to 30 days ahead." : null
}

type Optimal = { scheduledAt?: string; sendTimeCategory: string; deliveryWindow?: SendingWindow }

/** The window in which the time of each message is chosen; null if nothing is chosen. Transactional email never waits. */
export function optimalWindow(
  { scheduledAt, sendTimeCategory, deliveryWindow }: Optimal,
  now: Date,
  faults: FieldProblem[],
): SendingWindow | null {
  if (scheduledAt !== "optimal" || sendTimeCategory === "transactional") return null
  const refuse = (pointer: string, detail: string) => {
    faults.push({ pointer, detail })
    return null
  }
  if (!deliveryWindow)
    return refuse("/deliveryWindow", "With `optimal`, give the window in which the email may be sent.")
  const ahead = deliveryWindow.end.getTime() - now.getTime()
  if (ahead < aheadMinMs || ahead > aheadMaxMs)
    return refuse("/deliveryWindow/end", "Must be 30 seconds to 30 days ahead.")
  return deliveryWindow
}

/** A time in which an email may be sent. */
export type SendingWindow = { start: Date; end: Date }

/**
 * When to send inside a window: in the hour of the day (UTC) in which the recipients have opened most, else in the next best that
 * the window holds, else as early as it allows. Pure.
 */
export function optimalTime(hours: readonly number[], { start, end }: SendingWindow, now: Date): Date {
  const first = new Date(Math.max(start.getTime(), now.getTime()))
  const candidates = hours.flatMap((opens, hour) => {
    const at = nextIn(hour, first)
    return opens > 0 && at < end ? [{ opens, at }] : []
  })
  const [best] = candidates.sort((a, b) => b.opens - a.opens || a.at.getTime() - b.at.getTime())
  return best?.at ?? first
}

/** The first moment from an instant on that lies in an hour of the day. */
function nextIn(hour: number, from: Date): Date {
  if (from.getUTCHours() === hour) return from
  const whole = Math.floor(from.getTime() / hourMs) * hourMs
  const ahead = (hour - from.getUTCHours() + 24) % 24
  return new Date(whole + ahead * hourMs)
}

/** Several people who share an email count together. */
export function summed(all: readonly (readonly number[])[]): number[] {
  return Array.from({ length: 24 }, (_, hour) => all.reduce((sum, hours) => sum + (hours[hour] ?? 0), 0))
}
