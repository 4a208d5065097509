import { createPaths, type Paths } from "@/lib/delivery/regions/paths"
import { findReturnRoutes, isProved } from "@/lib/delivery/regions/return-route-store"
import { removeWorker } from "@/lib/delivery/regions/data"
import { openTransport, sandboxTransport, transportKinds } from "@/lib/delivery/transports/transports"
import { isSimulated, simulatorDomain, simulatorRoute } from "@/lib/delivery/transports/simulator"
import type { Transport } from "@/lib/delivery/transports/transport"
import { regionNames, type Region } from "@/lib/regions/regions"
import { type RegionProfile, regionSettings } from "@/lib/regions/settings"
import type { Delivered } from "@/lib/regions/smtp-url"

/** The next hop of a route, and what its acceptance means. */
export type Relay = {
  name: string
  transport: Transport
  delivered: Delivered
  local: boolean
  hasOneServer: boolean
  probeSeconds: number
}

export type Relays = {
  for(region: Region, canonical: string): Relay
  /** By the name of its route: a region or `simulator`. */
  named(route: string): Relay | undefined
  /** What this worker cannot reach. */
  paths: Paths
  /** Reads in which regions delivery reports are known to arrive: in the others `delivered=dsn` is `never`. */
  learnReports(): Promise<void>
  close(): Promise<void>
}

/** The relay of each region and of the simulator, opened on first use. */
export function createRelays(openRelay: (profile: RegionProfile) => Transport = openTransport): Relays {
  const open = new Map<string, Relay>()
  const paths = createPaths()
  let reported: ReadonlySet<Region> = new Set()

  function relay(name: string, make: (name: string) => Relay): Relay {
    const found = open.get(name) ?? make(name)
    open.set(name, found)
    return found
  }

  function relayOf(region: Region): Relay {
    return relay(region, (name) => {
      const profile = regionSettings().profiles[region]
      return {
        name,
        transport: openRelay(profile),
        get delivered() {
          return profile.delivered === "dsn" && !reported.has(region) ? "never" : profile.delivered
        },
        ...transportKinds[profile.transport],
      }
    })
  }

  return {
    for: (region, canonical) => (isSimulated(canonical) ? relay(simulatorRoute, simulator) : relayOf(region)),
    named(route) {
      if (route === simulatorRoute) return relay(simulatorRoute, simulator)
      const region = regionNames.find((one) => one === route)
      return region && relayOf(region)
    },
    paths,
    async learnReports() {
      const routes = await findReturnRoutes()
      reported = new Set(regionNames.filter((region) => isProved(region, routes)))
    },
    async close() {
      await Promise.all([...open.values()].map(({ transport }) => transport.close()))
      await removeWorker(paths)
    },
  }
}

function simulator(name: string): Relay {
  return {
    name,
    transport: sandboxTransport({ ehloName: simulatorDomain() }),
    delivered: "accept",
    ...transportKinds.sandbox,
  }
}
