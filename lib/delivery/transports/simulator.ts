import { env } from "@/lib/platform/env/env"

/** The route of mail for the simulator, which never leaves this machine, whatever the transport of its region. */
export const simulatorRoute = "simulator"

export function simulatorDomain(): string {
  return `simulator.${env().serviceDomain}`
}

/** An address of the simulator: its mail never counts in rates, and bounces suppress labelled addresses alone. */
export function isSimulated(canonical: string): boolean {
  return canonical.endsWith(`@${simulatorDomain()}`)
}
