import { createPaths, type Paths } from "@/lib/delivery/regions/paths"
import { removeWorker } from "@/lib/delivery/regions/worker-store"
import { sandboxTransport } from "@/lib/delivery/transports/sandbox"
import { isSimulated, simulatorDomain, simulatorRoute } from "@/lib/delivery/transports/simulator"
import type { Transport } from "@/lib/delivery/transports/transport"
import { transports } from "@/lib/delivery/transports/transports"
import { env, regions, type Delivered, type Region } from "@/lib/platform/env/env"

/** The next hop of a route, and what its acceptance means. */
export type Relay = {
  name: string
  transport: Transport
  delivered: Delivered
  local: boolean
  probeSeconds: number
}

export type Relays = {
  for(region: Region, canonical: string): Relay
  /** By the name of its route: a region or `simulator`. */
  named(route: string): Relay | undefined
  /** What this worker cannot reach. */
  paths: Paths
  close(): Promise<void>
}

/** The relay of each region and of the simulator, opened on first use. */
export function createRelays(): Relays {
  const open = new Map<string, Relay>()
  const paths = createPaths()

  function relay(name: string, make: () => Omit<Relay, "name">): Relay {
    const found = open.get(name) ?? { name, ...make() }
    open.set(name, found)
    return found
  }

  function relayOf(region: Region): Relay {
    return relay(region, () => {
      const profile = env().regions[region]
      const { open: openTransport, ...kind } = transports[profile.transport]
      return { transport: openTransport(profile), delivered: profile.delivered, ...kind }
    })
  }

  return {
    for: (region, canonical) => (isSimulated(canonical) ? relay(simulatorRoute, simulator) : relayOf(region)),
    named(route) {
      if (route === simulatorRoute) return relay(simulatorRoute, simulator)
      const region = regions.find((one) => one === route)
      return region && relayOf(region)
    },
    paths,
    async close() {
      await Promise.all([...open.values()].map(({ transport }) => transport.close()))
      await removeWorker(paths)
    },
  }
}

function simulator(): Omit<Relay, "name"> {
  const { local, probeSeconds } = transports.sandbox
  return {
    transport: sandboxTransport({ ehloName: simulatorDomain() }),
    delivered: "accept",
    local,
    probeSeconds,
  }
}
