import { createHash } from "node:crypto"
import { isIPv4 } from "node:net"
import { defaultPool } from "@/lib/projects/rules"

/** What an address may send on each day of its warm-up; on the day after the last one it has no cap any more. */
export const warmUpCaps = [200, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 200_000] as const
/** The day on which it has no cap any more. */
export const warmUpDays = warmUpCaps.length + 1

/** The share of a day's cap that one provider gets at most. */
const providerShare = 0.5

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

/** The date in UTC, in which days of warm-ups are counted. */
export function utcDate(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Midnight UTC after the date. */
export function endOf(date: string): Date {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 3_600_000)
}

/** An address as it is while places are given away. */
export type EgressSource = {
  id: string
  pool: string
  address: string
  ehloName: string
  isPaused: boolean
  warmUp: WarmUp | null
  /** Of today, by provider. */
  sent: Map<string, number>
}

/** A delivery that is about to be attempted. */
export type SourceAsk = {
  pool: string
  senderDomain: string
  recipientDomain: string
  /** Whose servers these are; empty for those of no provider. */
  provider: string
  /** From which address it was attempted before, and when it had its latest place there. */
  before: { addressId: string; on: string } | null
}

export type SourceChoice =
  | { kind: "place"; source: EgressSource; isNew: boolean }
  /** Nothing is configured: the system chooses. */
  | { kind: "any" }
  | { kind: "warm_up"; source: EgressSource; until: Date }
  | { kind: "paused" }

/**
 * From which address a delivery is attempted today. All attempts leave from the same one, or servers that greylist would not know
 * the second; so does all mail of a domain to a domain. What is over the cap of an address leaves from one of its pool that has
 * none. The caller counts new places in `sent`.
 */
export function chooseSource(sources: readonly EgressSource[], ask: SourceAsk, today: string): SourceChoice {
  const bound = sources.find(({ id }) => id === ask.before?.addressId)
  if (bound?.isPaused) return { kind: "paused" }
  if (bound && ask.before?.on === today) return { kind: "place", source: bound, isNew: false }
  if (bound) return hasPlace(bound, ask, today) ? placeAt(bound) : waitFor(bound, today)

  const pool = poolOf(sources, ask.pool)
  if (pool.length === 0) return { kind: "any" }
  const [home, ...others] = ranked(ofOneFamily(pool.filter(({ isPaused }) => !isPaused)), ask)
  if (!home) return { kind: "paused" }
  if (hasPlace(home, ask, today)) return placeAt(home)
  const warm = others.find(({ warmUp }) => warmUp === null)
  return warm ? placeAt(warm) : waitFor(home, today)
}

/** A pool without an address in the region sends as the default one. */
function poolOf(sources: readonly EgressSource[], pool: string): EgressSource[] {
  const own = sources.filter((source) => source.pool === pool)
  return own.length > 0 ? own : sources.filter((source) => source.pool === defaultPool)
}

/** Servers without IPv6 are many, those without IPv4 hardly exist. */
function ofOneFamily(sources: EgressSource[]): EgressSource[] {
  const v4 = sources.filter(({ address }) => isIPv4(address))
  return v4.length > 0 ? v4 : sources
}

function placeAt(source: EgressSource): SourceChoice {
  return { kind: "place", source, isNew: true }
}

function waitFor(source: EgressSource, today: string): SourceChoice {
  const start = source.warmUp && today < source.warmUp.on ? new Date(`${source.warmUp.on}T00:00:00Z`) : null
  return { kind: "warm_up", source, until: start ?? endOf(today) }
}

function hasPlace({ warmUp, sent }: EgressSource, { provider }: SourceAsk, today: string): boolean {
  if (!warmUp) return true
  const cap = capOf(warmUp, today)
  const all = [...sent.values()].reduce((sum, one) => sum + one, 0)
  if (all >= cap) return false
  return provider === "" || (sent.get(provider) ?? 0) < Math.floor(cap * providerShare)
}

/** Rendezvous hashing: an address that comes or goes moves only the mail that it gains or had. */
function ranked(sources: EgressSource[], { pool, senderDomain, recipientDomain }: SourceAsk): EgressSource[] {
  const weight = ({ address }: EgressSource) =>
    createHash("sha256").update([pool, senderDomain, recipientDomain, address].join("\n")).digest("hex")
  return sources
    .map((source) => ({ source, weight: weight(source) }))
    .toSorted((one, other) => (one.weight > other.weight ? -1 : 1))
    .map(({ source }) => source)
}
