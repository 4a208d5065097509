import { BlockList, isIPv6 } from "node:net"
import { askServers } from "@/lib/platform/dns/ask"
import type { DnsHost } from "@/lib/platform/dns/types"

type Options = { resolvers: DnsHost[]; port: number; timeoutMs: number; allowPrivate: boolean }

const serversMax = 4
const cacheMs = 60_000
const cachedMax = 1000

/**
 * Finds the servers that are responsible for a name: the NS records of the nearest zone at or above it, as the
 * resolvers give them. Empty when that cannot be found out, or only a top-level domain is left.
 */
export function authoritativeServers(options: Options): (name: string, deadline: number) => Promise<DnsHost[]> {
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

  function mayAsk(address: string): boolean {
    return options.allowPrivate || !privateNetworks.check(address, isIPv6(address) ? "ipv6" : "ipv4")
  }
}

/** Anyone's zone may name any address as its server: these must not be reached that way (RFC 6890). */
const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv4")
for (const [network, prefix] of [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv6")
