import type { FieldProblem } from "@/lib/platform/http/problem"
import type { Limits } from "@/lib/projects/schema"
import { hourMs } from "@/lib/platform/time"

/** The slug of a name: lower-case words joined by hyphens, or `project` when nothing is left. */
export function slugOf(name: string): string {
  const words =
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.join("-").slice(0, 50).replace(/-+$/, "") || "project"
}

/** How the operator's command names each limit; every limit has a ceiling that the operator can raise. */
export const limitFlags = {
  perSecondSends: "per-second",
  dailySends: "per-day",
  maxRecipientsPerMessage: "max-recipients-per-message",
  maxDomains: "max-domains",
  maxApiKeys: "max-api-keys",
  maxWebhooks: "max-webhooks",
} as const satisfies Record<keyof Limits, string>

/** Every limit above the operator's ceiling, with its pointer. */
export function limitsOverCeiling(wanted: Limits, ceilings: Limits): FieldProblem[] {
  return (Object.keys(ceilings) as (keyof Limits)[])
    .filter((name) => wanted[name] > ceilings[name])
    .map((name) => ({
      pointer: `/limits/${name}`,
      detail: `At most ${ceilings[name]}. The operator of this installation can raise it with set-limits --${limitFlags[name]}.`,
    }))
}

/** The pool of egress addresses of projects, and of addresses, that name no other. */
export const defaultPool = "default"

/** How much of the day's allowance was used at a time. */
export type UsageReading = { at: Date; used: number }

type Forecast = {
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
