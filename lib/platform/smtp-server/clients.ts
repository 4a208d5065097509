import { networkOf } from "@/lib/platform/http/client-address"

export type ClientLimits = {
  /** Connections that one client address has open. */
  openMax: number
  /** New connections of one client address in a minute. */
  newPerMinuteMax: number
}

type Client = { open: number; began: number; since: number }

const minuteMs = 60_000

/** Counts connections by client address, that is by IPv4 address or IPv6 /64. */
export function createClients({ openMax, newPerMinuteMax }: ClientLimits, now = () => performance.now()) {
  const clients = new Map<string, Client>()
  let forgotAt = now()
  return { admit, leave }

  /** Whether one more connection may stay; then call `leave` at its end. */
  function admit(address: string): boolean {
    const network = networkOf(address)
    const client = clients.get(network) ?? { open: 0, began: 0, since: now() }
    if (now() - client.since >= minuteMs) Object.assign(client, { began: 0, since: now() })
    client.began += 1
    clients.set(network, client)
    if (client.open >= openMax || client.began > newPerMinuteMax) return false
    client.open += 1
    return true
  }

  function leave(address: string): void {
    const client = clients.get(networkOf(address))
    if (client) client.open -= 1
    if (now() - forgotAt >= minuteMs) forgetIdle()
  }

  function forgetIdle(): void {
    forgotAt = now()
    for (const [network, { open, since }] of clients) {
      if (open === 0 && now() - since >= minuteMs) clients.delete(network)
    }
  }
}
