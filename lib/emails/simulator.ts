import { env } from "@/lib/platform/env/env"

/**
 * `suppressed@simulator.<service domain>`, with any label, behaves at admission as an address on the suppression list:
 * nothing is sent, nothing is counted, and the list itself stays as it is.
 */
export function isHeldBySimulator(canonical: string): boolean {
  return simulatorName(canonical) === "suppressed"
}

/** The name before the label of an address of the simulator; null for every other address. */
export function simulatorName(canonical: string): string | null {
  const at = canonical.lastIndexOf("@")
  if (canonical.slice(at + 1) !== simulatorDomain()) return null
  return canonical.slice(0, at).split("+", 1)[0] ?? null
}

const names = ["delivered", "bounced", "bounced-later", "delayed", "suppressed", "opened", "clicked", "complained"]

/** Why nothing can be sent to this address of the simulator, as a sentence; null for those that it has, and for every other address. */
export function simulatorFault(canonical: string): string | null {
  const name = simulatorName(canonical)
  if (name === null || names.includes(name)) return null
  return `The simulator has no such address. It has ${names.map((one) => `${one}@`).join(", ")}, each with a label if you like, as in bounced+a@.`
}

/** The route of mail for the simulator, which never leaves this machine, whatever the transport of its region. */
export const simulatorRoute = "simulator"

export function simulatorDomain(): string {
  return `simulator.${env().serviceDomain}`
}

/** An address of the simulator: its mail never counts in rates, and bounces suppress labelled addresses alone. */
export function isSimulated(canonical: string): boolean {
  return canonical.endsWith(`@${simulatorDomain()}`)
}
