import { askServers } from "@/lib/platform/dns/ask"
import type { DnsHost } from "@/lib/platform/dns/types"
import { createReach } from "@/lib/platform/outbound/networks"

type Options = { resolvers: DnsHost[]; port: number; timeoutMs: number; allowPrivate: boolean }

const serversMax = 4
const cacheMs = 60_000
const cachedMax = 1000
const reach = createReach([])

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

  /** Anyone's zone may name any address as its server: those that are not public must not be reached that way. */
  function mayAsk(address: string): boolean {
    return options.allowPrivate || reach(address) === "public"
  }
}
