import { createSmtpPool, type SmtpPool } from "@/lib/delivery/smtp-client"
import { env, type Delivered, type Region } from "@/lib/platform/env"

/** Where a mail goes next, and what an acceptance there means. */
export type Relay = {
  name: string
  pool: SmtpPool
  delivered: Delivered
  /** Our own sandbox, which may be a moment behind the worker when the product starts. */
  ours: boolean
}

export type Relays = {
  /** Mail for the simulator never leaves this machine, whatever the region's transport. */
  for(region: Region, canonical: string): Relay
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

  return {
    for(region, canonical) {
      if (isSimulated(canonical)) return relay("simulator", simulator)
      return relay(region, () => {
        const { smtp, ehloName, delivered, transport } = env().regions[region]
        return { pool: createSmtpPool(smtp, { ehloName }), delivered, ours: transport === "sandbox" }
      })
    },
    close: async () => void (await Promise.all([...known.values()].map(({ pool }) => pool.close()))),
  }
}

/** An address of the simulator: its mail never counts in rates, and bounces suppress labelled addresses alone. */
export function isSimulated(canonical: string): boolean {
  return canonical.endsWith(`@simulator.${env().serviceDomain}`)
}

function simulator(): Omit<Relay, "name"> {
  const { sandboxSmtpPort, serviceDomain } = env()
  const target = { host: "127.0.0.1", port: sandboxSmtpPort, tls: "none", maxConnections: 5 } as const
  return { pool: createSmtpPool(target, { ehloName: `simulator.${serviceDomain}` }), delivered: "accept", ours: true }
}
