import { Resolver } from "node:dns/promises"
import type { Dns } from "@/lib/platform/dns/types"
import { env } from "@/lib/platform/env/env"
import { type TargetFault, targetFaultSentence } from "@/lib/platform/outbound/target-faults"
import { addressFault, type OutboundGuard, isLocal, loopback, type Target } from "@/lib/platform/outbound/url"

/** The addresses of a name; empty when it has none. Throws when that cannot be found out. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Thrown for a target that no request may be sent to. */
export class TargetRefused extends Error {
  constructor(readonly fault: TargetFault) {
    super(targetFaultSentence(fault))
    this.name = "TargetRefused"
  }
}

/** Asks the name servers of `dns`. The error it throws says whether the name is missing or no server answers. */
export function resolveBy(dns: Dns): Resolve {
  return async (name) => {
    const answer = await dns.addresses(name)
    if (answer.kind === "found") return answer.values
    if (answer.kind === "missing") throw new TargetRefused({ code: "name_missing", facts: { host: name } })
    throw new TargetRefused({ code: "no_name_server", facts: { host: name } })
  }
}

/**
 * The addresses to connect to, judged now: all of them must be allowed, because a connection may be opened to any. They are
 * the ones that the caller dials, so that no later answer of a name server takes their place.
 */
export async function dialable({ url, host }: Target, guard: OutboundGuard, resolve: Resolve): Promise<string[]> {
  const addresses = "address" in host ? [host.address] : isLocal(host.name) ? [loopback] : await resolve(host.name)
  if (!addresses.length) throw new TargetRefused({ code: "no_address", facts: {} })
  for (const address of addresses) {
    const why = addressFault(guard, address, url.protocol)
    if (why) throw new TargetRefused({ code: "resolves_to", facts: { address, why } })
  }
  return [...addresses]
}

const missing = new Set(["ENODATA", "ENOTFOUND", "NXDOMAIN"])

/** Names by the resolvers of this machine, or DNS_SERVERS; never by its hosts file, and without Node's pool of threads. */
export function systemResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const servers = env().dnsServers.map(({ host, port }) =>
    host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`,
  )
  if (servers.length) resolver.setServers(servers)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
    const failed = answers.find((answer) => answer.status === "rejected" && !missing.has(codeOf(answer.reason)))
    // An address of the other family is enough to connect; a name that has none at all must be known to have none.
    if (!found.length && failed?.status === "rejected") throw failed.reason
    return found
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : ""
}
