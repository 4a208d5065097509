import { env } from "@/lib/platform/env"

/**
 * `suppressed@simulator.<service domain>`, with any label, behaves at admission as an address on the suppression list:
 * nothing is handed over, nothing is counted, and the list itself stays as it is.
 */
export function isHeldBySimulator(canonical: string): boolean {
  return /^suppressed(\+[^@]*)?@/.test(canonical) && canonical.endsWith(`@simulator.${env().serviceDomain}`)
}
