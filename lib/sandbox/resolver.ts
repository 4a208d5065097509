import { Resolver } from "node:dns/promises"
import { sandboxZones, type DnsSettings } from "@/lib/regions/io"

/** Answers like node:dns: records, or an error whose `code` is ENOTFOUND, ENODATA, ETIMEOUT and so on. */
export type ResolveRecords = (name: string, type: string) => Promise<string[] | string[][]>

const timeoutMs = 1_500
const keptMs = 5_000
const keptMax = 1_000

/**
 * The DNS that the sandbox's receiver believes: DNS_SERVERS for everything if set, else the sandbox's own zones at its
 * name server and the rest where this machine asks. Answers are kept for 5 s, as a busy receiver would for their TTL.
 */
export function receiverResolver(settings: DnsSettings): ResolveRecords {
  const zones = settings.dnsServers.length ? [] : sandboxZones(settings)
  const own = resolverAt([{ host: "127.0.0.1", port: settings.sandboxDnsPort }])
  const other = resolverAt(settings.dnsServers)
  const kept = new Map<string, { until: number; answer: Promise<string[] | string[][]> }>()

  return function resolve(name, type) {
    const asked = name.toLowerCase().replace(/\.$/, "")
    const key = `${type} ${asked}`
    const known = kept.get(key)
    if (known && known.until > performance.now()) return known.answer
    const resolver = zones.some((zone) => asked === zone || asked.endsWith(`.${zone}`)) ? own : other
    const answer = resolver.resolve(asked, type) as Promise<string[] | string[][]>
    if (kept.size >= keptMax) kept.clear()
    kept.set(key, { until: performance.now() + keptMs, answer })
    // What is not there now may be there in a moment: only answers are kept.
    answer.catch(() => kept.delete(key))
    return answer
  }
}

function resolverAt(servers: { host: string; port: number }[]): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers.length)
    resolver.setServers(servers.map(({ host, port }) => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`)))
  return resolver
}
