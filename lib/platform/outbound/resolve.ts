import type { Dns } from "@/lib/platform/dns/types"
import { addressFault, isLocal, loopback, type Guard, type Target } from "@/lib/platform/outbound/url"

/** The addresses of a name; empty when it has none. Throws when that cannot be found out. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Thrown for a target that no request may be sent to. */
export class TargetRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = "TargetRefused"
  }
}

/** Asks the name servers of `dns`. The error it throws says whether the name is missing or no server answers. */
export function resolveBy(dns: Dns): Resolve {
  return async (name) => {
    const answer = await dns.addresses(name)
    if (answer.kind === "found") return answer.values
    if (answer.kind === "missing") throw new TargetRefused(`The host name ${name} does not exist.`)
    throw new TargetRefused(`No name server answers for ${name}.`)
  }
}

/**
 * The addresses to connect to, judged now: all of them must be allowed, because a connection may be opened to any. They are
 * the ones that the caller dials, so that no later answer of a name server takes their place.
 */
export async function dialable({ url, host }: Target, guard: Guard, resolve: Resolve): Promise<string[]> {
  const addresses = "address" in host ? [host.address] : isLocal(host.name) ? [loopback] : await resolve(host.name)
  if (!addresses.length) throw new TargetRefused("The host name has no address.")
  for (const address of addresses) {
    const fault = addressFault(guard, address, url.protocol)
    if (fault) throw new TargetRefused(`The host resolves to ${address}: ${fault}`)
  }
  return [...addresses]
}
