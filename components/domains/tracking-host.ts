import type { Domain } from "@/components/domains/types"

/** The name in links and pictures, as registered or as proposed. */
export function trackingHost({ verificationRecords, domain }: Domain): string {
  return verificationRecords.trackingCname?.name ?? `links.${domain}`
}
