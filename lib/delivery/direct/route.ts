import { createHash } from "node:crypto"
import { type Provider, providers, usualLimits } from "@/lib/delivery/direct/providers"
import { isUnder, type DnsErrorReason, type DnsMx } from "@/lib/platform/dns/dns"
import type { Stub, StubOutcome } from "@/lib/platform/dns/stub"
import type { Random } from "@/lib/platform/io"

/** Where the mail of a domain goes (RFC 5321 section 5.1). */
export type DomainRoute =
  | {
      kind: "mx" | "implicit"
      /** By preference; the domain itself where it has an address and no MX. */
      hosts: readonly DnsMx[]
      /** DNSSEC secures that these are the hosts. */
      secure: boolean
    }
  /** It says that it receives no mail (RFC 7505), or does not exist. */
  | { kind: "null_mx" | "no_domain" }
  /** It cannot be found out now. */
  | { kind: "unknown"; reason: DnsErrorReason }

const hostsMax = 20
const [minute, hour] = [60, 3_600]
/** What a route is kept for, whatever its TTL. That a domain receives no mail is never believed for long. */
const keptSeconds: Record<DomainRoute["kind"], { least: number; most: number }> = {
  mx: { least: 5 * minute, most: 24 * hour },
  implicit: { least: 5 * minute, most: 24 * hour },
  null_mx: { least: 0, most: 5 * minute },
  no_domain: { least: 0, most: 5 * minute },
  unknown: { least: minute, most: minute },
}

/** Resolvers that do not answer say nothing about the domain. */
const silenceSeconds = 5

function isSilence(reason: DnsErrorReason): boolean {
  return reason === "timeout" || reason === "unreachable"
}

const addressSeconds = { least: minute, most: hour }
/** That are dialled of a host. */
export const dialledMax = 2

type Addresses = { addresses: readonly string[]; secure: boolean; isKnown: boolean; name: string }

type DomainRoutes = {
  of(domain: string): Promise<DomainRoute>
  /** At most two of a family of a host, IPv6 also where this machine has none; `isKnown` is false where that could not be found out. */
  addressesOf(host: string): Promise<Addresses>
}

/** Looks routes up once in their time to live. */
export function createRoutes(
  stub: Stub,
  { now = () => performance.now(), ipv6 = () => true }: { now?: () => number; ipv6?: () => boolean } = {},
): DomainRoutes {
  const routes = createKept<DomainRoute>(now)
  const addresses = createKept<Addresses>(now)

  async function find(domain: string): Promise<Kept<DomainRoute>> {
    const answer = await stub.ask("MX", domain)
    if (answer.kind === "error") {
      const route = { kind: "unknown", reason: answer.reason } as const
      return isSilence(answer.reason) ? { value: route, seconds: silenceSeconds } : keptRoute(route, 0)
    }
    if (answer.kind === "missing" && answer.reason === "no-name")
      return keptRoute({ kind: "no_domain" }, answer.ttlSeconds)
    if (answer.kind === "missing") {
      // A domain without an MX is its own host (RFC 5321 section 5.1); one without an address as well receives no mail.
      const own = await addressesOf(domain)
      if (!own.isKnown) return keptRoute({ kind: "unknown", reason: "server-failure" }, 0)
      if (own.addresses.length === 0) return keptRoute({ kind: "no_domain" }, answer.ttlSeconds)
      const hosts = [{ exchange: domain, priority: 0 }]
      return keptRoute({ kind: "implicit", hosts, secure: answer.secure }, answer.ttlSeconds)
    }
    const hosts = answer.values
      .filter(({ exchange }) => isHostname(exchange))
      .toSorted((one, other) => one.priority - other.priority)
      .slice(0, hostsMax)
    if (answer.values.every(({ exchange }) => exchange === "")) return keptRoute({ kind: "null_mx" }, answer.ttlSeconds)
    return keptRoute({ kind: "mx", hosts, secure: answer.secure }, answer.ttlSeconds)
  }

  function addressesOf(host: string): Promise<Addresses> {
    return addresses.get(host, async () => {
      const [v4, v6] = await (ipv6() ? Promise.all([stub.ask("A", host), stub.ask("AAAA", host)]) : fourFirst(host))
      const found = [...valuesOf(v4).slice(0, dialledMax), ...valuesOf(v6).slice(0, dialledMax)]
      const isKnown = found.length > 0 || (v4.kind !== "error" && v6.kind !== "error")
      const ttls = [v4, v6].flatMap((one) => (one.kind === "error" ? [] : one.ttlSeconds))
      return {
        value: {
          addresses: found,
          // A lookup that fails takes nothing away from one that succeeds: else a blocked answer would turn DANE off.
          secure: [v4, v6].every((one) => one.kind !== "found" || one.secure),
          isKnown,
          name: v4.kind === "found" ? v4.name : v6.kind === "found" ? v6.name : host,
        },
        seconds: isKnown ? within(Math.min(...ttls), addressSeconds) : minute,
      }
    })
  }

  /** Where nothing is reached by IPv6, it only matters whether a host without an IPv4 address has one of the other family. */
  async function fourFirst(host: string): Promise<[StubOutcome<string>, StubOutcome<string>]> {
    const v4 = await stub.ask("A", host)
    return [v4, v4.kind === "found" ? none : await stub.ask("AAAA", host)]
  }

  return { of: (domain) => routes.get(domain, () => find(domain)), addressesOf }
}

const none: StubOutcome<string> = { kind: "missing", reason: "no-data", ttlSeconds: Infinity, secure: true }

function valuesOf(answer: StubOutcome<string>): string[] {
  return answer.kind === "found" ? answer.values : []
}

function isHostname(name: string): boolean {
  return /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/.test(name)
}

function keptRoute(value: DomainRoute, ttlSeconds: number): Kept<DomainRoute> {
  return { value, seconds: within(ttlSeconds, keptSeconds[value.kind]) }
}

function within(seconds: number, { least, most }: { least: number; most: number }): number {
  return Math.min(most, Math.max(least, seconds))
}

/** The hosts in the order in which they are tried: those of one preference in turns, as RFC 5321 section 5.1 wants. */
export function inTurn(hosts: readonly DnsMx[], random: Random): DnsMx[] {
  return hosts
    .map((host) => ({ host, at: random.number() }))
    .toSorted((one, other) => one.host.priority - other.host.priority || one.at - other.at)
    .map(({ host }) => host)
}

/** A group of mail servers: a provider, or the set of hosts with their preferences. Never a domain: 20,000 of them are one provider's. */
export type Destination = {
  key: string
  /** The name of the provider; null for others. */
  provider: string | null
  hosts: readonly string[]
} & Pick<Provider, "connections" | "mailsPerConnection" | "isEncrypted" | "hasOwnHosts" | "replies">

export function destinationOf(hosts: readonly DnsMx[]): Destination {
  const provider = providers.find(({ suffixes }) =>
    hosts.every(({ exchange }) => suffixes.some((suffix) => isUnder(exchange, suffix))),
  )
  const names = hosts.map(({ exchange }) => exchange)
  if (provider && names.length > 0) return { ...provider, key: provider.name, provider: provider.name, hosts: names }
  const set = hosts.map(({ exchange, priority }) => `${priority} ${exchange}`).sort()
  const key = createHash("sha256").update(set.join("\n")).digest("base64url").slice(0, 22)
  return { ...usualLimits, key, provider: null, hosts: names }
}

/** A destination that is known by its key alone. */
export function storedDestination(key: string, provider: string | null, hosts: readonly string[]): Destination {
  const known = providers.find(({ name }) => name === provider)
  return { ...(known ?? usualLimits), key, provider: known?.name ?? null, hosts }
}

/** Lookups are kept for so many names; beyond that, the ones that were looked up first are dropped. */
const namesMax = 50_000

/** A value, and for how long it is kept. */
type Kept<T> = { value: T; seconds: number }

/** Values by name for a time of their own; who asks while one is looked up waits for the same. A lookup that throws is not kept. */
export function createKept<T>(now: () => number) {
  const known = new Map<string, { value: Promise<T>; until: number }>()

  return {
    get(name: string, find: () => Promise<Kept<T>>): Promise<T> {
      const before = known.get(name)
      if (before && now() < before.until) return before.value
      const entry = { value: find().then(keep, forget), until: Infinity }
      known.delete(name)
      known.set(name, entry)
      const [oldest] = known.size > namesMax ? known.keys() : []
      if (oldest !== undefined) known.delete(oldest)
      return entry.value

      function keep({ value, seconds }: Kept<T>): T {
        entry.until = now() + seconds * 1_000
        return value
      }

      function forget(error: unknown): never {
        if (known.get(name) === entry) known.delete(name)
        throw error
      }
    },
  }
}
