import { getServers } from "node:dns"
import { askServers, type RecordKind } from "@/lib/platform/dns/ask"
import type { Dns, DnsAnswer, DnsHost, DnsValues } from "@/lib/platform/dns/types"
import { createReach } from "@/lib/platform/outbound/networks"

export type { Dns, DnsAnswer, DnsHost, DnsMx, DnsOutcome, DnsErrorReason } from "@/lib/platform/dns/types"

export type DnsOptions = {
  /** Used for all queries, instead of all other servers (DNS_SERVERS). */
  servers?: DnsHost[]
  /** Names at or under these zones are queried at this server only. */
  local?: { zones: string[]; server: DnsHost }
  /** The resolvers of this machine; those of the operating system when left out. */
  resolvers?: DnsHost[]
  /** The port at which authoritative servers listen. Only tests have another than 53. */
  authorityPort?: number
  /** Private and loopback name servers are never asked on behalf of a stranger's zone; tests switch this on. */
  privateAuthorities?: boolean
  /** For one question at one server. */
  timeoutMs?: number
  /** For one call, aliases and the search for name servers included. */
  totalMs?: number
}

/** More aliases in a row than this are a loop or an attack. */
const aliasHopsMax = 8

/**
 * Queries the authoritative servers of the name, records each one's answer, follows
 * aliases, always answers within `totalMs`, never throws.
 */
export function createDns(options: DnsOptions = {}): Dns {
  const timeoutMs = options.timeoutMs ?? 2000
  const totalMs = options.totalMs ?? 5000
  const resolvers = options.resolvers ?? systemResolvers()
  const authorities = authoritativeServers({
    resolvers,
    timeoutMs,
    port: options.authorityPort ?? 53,
    allowPrivate: options.privateAuthorities ?? false,
  })

  return {
    txt: (name) => answer("TXT", name),
    mx: (name) => answer("MX", name),
    cname: (name) => answer("CNAME", name),
    ns: (name) => answer("NS", name),
    addresses: (name) => answer("ADDRESS", name),
  }

  async function answer<K extends RecordKind>(kind: K, name: string): Promise<DnsAnswer<DnsValues[K]>> {
    const deadline = performance.now() + totalMs
    let target = plain(name)
    for (let hop = 0; hop <= aliasHopsMax; hop++) {
      const found = await askAt(kind, target, deadline)
      if (found.kind !== "missing" || kind === "CNAME") return found
      // An authoritative server returns only the alias if its target is in another zone: follow it ourselves.
      const alias = await askAt("CNAME", target, deadline)
      if (alias.kind !== "found" || alias.values[0] === undefined) return found
      target = plain(alias.values[0])
    }
    return { kind: "error", reason: "alias-loop", askedServers: [] }
  }

  async function askAt<K extends RecordKind>(
    kind: K,
    name: string,
    deadline: number,
  ): Promise<DnsAnswer<DnsValues[K]>> {
    const question = { kind, name, timeoutMs, deadline }
    if (options.servers?.length) return askServers(options.servers, question)
    if (options.local?.zones.some((zone) => isUnder(name, zone))) {
      return askServers([options.local.server], question)
    }
    const own = await authorities(name, deadline)
    const direct = own.length > 0 ? await askServers(own, question) : undefined
    if (direct && direct.kind !== "error") return direct
    const relayed = await askServers(resolvers, question)
    return { ...relayed, askedServers: [...(direct?.askedServers ?? []), ...relayed.askedServers] }
  }
}

/** Whether a name is the zone itself or a name in it. */
export function isUnder(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "")
}

/** Those of the operating system. */
export function systemResolvers(): DnsHost[] {
  return getServers().map((server) => {
    const bracketed = /^\[(.+)\]:(\d+)$/.exec(server)
    if (bracketed) return { host: bracketed[1] ?? "", port: Number(bracketed[2]) }
    const [host = "", port] = server.split(":")
    // More than one colon is an IPv6 address without a port.
    if (server.split(":").length > 2) return { host: server, port: 53 }
    return { host, port: port ? Number(port) : 53 }
  })
}

type Options = { resolvers: DnsHost[]; port: number; timeoutMs: number; allowPrivate: boolean }

const serversMax = 4
const cacheMs = 60_000
const cachedMax = 1000
const reach = createReach([])

/**
 * Finds the servers that are responsible for a name: the NS records of the nearest zone at or above it, as the
 * resolvers give them. Empty when that cannot be found out, or only a top-level domain is left.
 */
function authoritativeServers(options: Options): (name: string, deadline: number) => Promise<DnsHost[]> {
  // One check queries a dozen names of one zone: its servers are cached.
  const cached = new Map<string, { until: number; servers: Promise<DnsHost[]> }>()

  return at

  async function at(name: string, deadline: number): Promise<DnsHost[]> {
    const labels = name.split(".")
    if (labels.length < 2) return []
    const now = performance.now()
    const known = cached.get(name)
    if (known && known.until > now) return known.servers
    if (cached.size >= cachedMax) cached.clear()
    const servers = serversOf(name, deadline, labels)
    cached.set(name, { until: now + cacheMs, servers })
    // A failed lookup is not cached.
    if ((await servers).length === 0) cached.delete(name)
    return servers
  }

  async function serversOf(name: string, deadline: number, labels: string[]): Promise<DnsHost[]> {
    const question = { timeoutMs: options.timeoutMs, deadline }
    const delegation = await askServers(options.resolvers, { ...question, kind: "NS", name })
    if (delegation.kind === "error") return []
    if (delegation.kind === "missing") return labels.length > 2 ? at(labels.slice(1).join("."), deadline) : []
    const names = delegation.values.slice(0, serversMax)
    const found = await Promise.all(
      names.map((host) => askServers(options.resolvers, { ...question, kind: "ADDRESS", name: host })),
    )
    return found
      .flatMap((answer) => (answer.kind === "found" ? [answer.values.find(mayAsk)] : []))
      .flatMap((host) => (host === undefined ? [] : [{ host, port: options.port }]))
  }

  /** Anyone's zone may name any address as its server: those that are not public must not be reached that way. */
  function mayAsk(address: string): boolean {
    return options.allowPrivate || reach(address) === "public"
  }
}
