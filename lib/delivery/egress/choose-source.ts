import { createHash } from "node:crypto"
import { isIPv4 } from "node:net"
import { capOf, endOf, type OnBlock, providerShare, type WarmUp } from "@/lib/delivery/egress/rules"
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
  /** What its mail does at a destination that refuses it. */
  onBlock: OnBlock
  /** The destinations that refuse it, by their queues. */
  blocks: ReadonlyMap<number, SourceBlock>
}

/** `isOver`: one mail may try whether the destination takes mail from there again. */
export type SourceBlock = { since: Date; until: Date; reply: string; waitSeconds: number; isOver: boolean }

/** A delivery that is about to be attempted. */
export type SourceAsk = {
  pool: string
  senderDomain: string
  recipientDomain: string
  /** The queue of the destination, if the delivery waits in one. */
  queue: number | null
  /** Whose servers these are; empty for those of no provider. */
  provider: string
  /** From which address it was attempted before, and when it had its latest place there. */
  before: { addressId: string; on: string } | null
}

export type SourceChoice =
  /** `isTry`: a destination that refused the address is asked by this mail, and no other one until it has ended. */
  | { kind: "place"; source: EgressSource; isNew: boolean; isTry: boolean }
  /** Nothing is configured: the system chooses. */
  | { kind: "any" }
  | { kind: "warm_up"; source: EgressSource; until: Date }
  | { kind: "paused" }
  | { kind: "blocked"; source: EgressSource; block: SourceBlock; waitSeconds: number }

/**
 * From which address a delivery is attempted today. All attempts leave from the same one, or servers that greylist would not know
 * the second; so does all mail of a domain to a domain. What is over the cap of an address leaves from one of its pool that has
 * none. The caller counts new places in `sent`.
 */
export function chooseSource(sources: readonly EgressSource[], ask: SourceAsk, today: string): SourceChoice {
  const bound = sources.find(({ id }) => id === ask.before?.addressId)
  if (bound?.isPaused) return { kind: "paused" }
  if (bound && isBlocked(bound, ask)) return blockedAt(bound, ask)
  if (bound && ask.before?.on === today) return { ...placeAt(bound, ask), isNew: false }
  if (bound) return hasPlace(bound, ask, today) ? placeAt(bound, ask) : waitFor(bound, today)

  const pool = poolOf(sources, ask.pool)
  if (pool.length === 0) return { kind: "any" }
  const all = ranked(ofOneFamily(pool.filter(({ isPaused }) => !isPaused)), ask)
  const free = all.filter((source) => !isBlocked(source, ask))
  const [first] = all
  if (!first) return { kind: "paused" }
  const home = isBlocked(first, ask) && first.onBlock === "spill" ? free[0] : first
  if (!home || isBlocked(home, ask)) return blockedAt(first, ask)
  if (hasPlace(home, ask, today)) return placeAt(home, ask)
  const warm = free.find((source) => source !== home && source.warmUp === null)
  return warm ? placeAt(warm, ask) : waitFor(home, today)
}

function blockOf({ blocks }: EgressSource, { queue }: SourceAsk): SourceBlock | undefined {
  return queue === null ? undefined : blocks.get(queue)
}

function isBlocked(source: EgressSource, ask: SourceAsk): boolean {
  return blockOf(source, ask)?.isOver === false
}

function blockedAt(source: EgressSource, ask: SourceAsk): SourceChoice {
  const block = blockOf(source, ask)
  return block ? { kind: "blocked", source, block, waitSeconds: block.waitSeconds } : { kind: "paused" }
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

function placeAt(source: EgressSource, ask: SourceAsk): SourceChoice & { kind: "place" } {
  return { kind: "place", source, isNew: true, isTry: blockOf(source, ask) !== undefined }
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
