import { createHash } from "node:crypto"
import { isIPv4 } from "node:net"
import { capOf, endOf, providerShare, type WarmUp } from "@/lib/delivery/egress/rules"
import { defaultPool } from "@/lib/projects/rules"

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
