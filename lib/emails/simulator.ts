import { env } from "@/lib/platform/env/env"

/** Names of the simulator that a later set of features will answer. */
export const unansweredNames: readonly string[] = ["complained", "opened", "clicked"]

/**
 * `suppressed@simulator.<service domain>`, with any label, behaves at admission as an address on the suppression list:
 * nothing is sent, nothing is counted, and the list itself stays as it is.
 */
export function isHeldBySimulator(canonical: string): boolean {
  return simulatorName(canonical) === "suppressed"
}

/** What is wrong with an address of the simulator that has no answer yet; null for every other address. */
export function simulatorFault(canonical: string): string | null {
  const name = simulatorName(canonical)
  if (name === null || !unansweredNames.includes(name)) return null
  return `The simulator does not answer ${name}@ yet. Use delivered@, bounced@, delayed@ or suppressed@.`
}

/** The name before the label of an address of the simulator; null for every other address. */
function simulatorName(canonical: string): string | null {
  const at = canonical.lastIndexOf("@")
  if (canonical.slice(at + 1) !== `simulator.${env().serviceDomain}`) return null
  return canonical.slice(0, at).split("+", 1)[0] ?? null
}
