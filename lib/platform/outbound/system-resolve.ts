import { Resolver } from "node:dns/promises"
import { env } from "@/lib/platform/env/env"
import type { Resolve } from "@/lib/platform/outbound/resolve"

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
