import { createSmtpPool } from "@/lib/delivery/smtp/client"
import type { SmtpPool } from "@/lib/delivery/smtp/pool"
import { probeSeconds } from "@/lib/delivery/regions/region-rules"
import { isSimulated, simulatorDomain, simulatorRoute } from "@/lib/delivery/transports/simulator"
import { env, regions, type Delivered, type Region } from "@/lib/platform/env/env"

/** Where a mail goes next, and what an acceptance there means. */
export type Relay = {
  name: string
  pool: SmtpPool
  delivered: Delivered
  /** Our own sandbox, which may be a moment behind the worker when the product starts. */
  ours: boolean
  /** Between two probes while it is unreachable, over all workers. */
  probeSeconds: number
}

const remote = { ours: false, probeSeconds: probeSeconds.remote }
const sandbox = { ours: true, probeSeconds: probeSeconds.sandbox }

export type Relays = {
  for(region: Region, canonical: string): Relay
  /** By the name of its route: a region or `simulator`. */
  named(route: string): Relay | undefined
  close(): Promise<void>
}

/** One pool of connections for each region and one for the simulator, opened on first use. */
export function createRelays(): Relays {
  const known = new Map<string, Relay>()

  function relay(name: string, make: () => Omit<Relay, "name">): Relay {
    const found = known.get(name) ?? { name, ...make() }
    known.set(name, found)
    return found
  }

  function ofRegion(region: Region): Relay {
    return relay(region, () => {
      const { smtp, ehloName, delivered, transport } = env().regions[region]
      return { pool: createSmtpPool(smtp, { ehloName }), delivered, ...(transport === "sandbox" ? sandbox : remote) }
    })
  }

  return {
    for: (region, canonical) => (isSimulated(canonical) ? relay(simulatorRoute, simulator) : ofRegion(region)),
    named(route) {
      if (route === simulatorRoute) return relay(simulatorRoute, simulator)
      const region = regions.find((one) => one === route)
      return region && ofRegion(region)
    },
    close: async () => void (await Promise.all([...known.values()].map(({ pool }) => pool.close()))),
  }
}

function simulator(): Omit<Relay, "name"> {
  const { sandboxSmtpPort } = env()
  const target = { host: "127.0.0.1", port: sandboxSmtpPort, tls: "none", maxConnections: 5 } as const
  return { pool: createSmtpPool(target, { ehloName: simulatorDomain() }), delivered: "accept", ...sandbox }
}
