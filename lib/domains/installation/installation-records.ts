import type { Dns } from "@/lib/platform/dns/types"
import { feedbackHost, spfHost, type ServiceNames } from "@/lib/domains/records/records"
import type { Region } from "@/lib/regions/regions"

export type InstallationRecord = { name: string; type: "TXT" | "A"; found: boolean }

/** The records of the installation itself without which mail of a region fails SPF or has a return path that leads nowhere, and whether they exist. */
export async function installationRecords(
  region: Region,
  service: ServiceNames,
  dns: Pick<Dns, "txt" | "addresses">,
): Promise<InstallationRecord[]> {
  const [spf, feedback] = [spfHost(region, service), feedbackHost(region, service)]
  // A name that is kept for tests is in no DNS.
  if (service.serviceDomain.endsWith(".test"))
    return [
      { name: spf, type: "TXT", found: false },
      { name: feedback, type: "A", found: false },
    ]
  const [texts, addresses] = await Promise.all([dns.txt(spf), dns.addresses(feedback)])
  const hasSpf = texts.kind === "found" && texts.values.some((text) => /^v=spf1(?: |$)/i.test(text))
  return [
    { name: spf, type: "TXT", found: hasSpf },
    { name: feedback, type: "A", found: addresses.kind === "found" && addresses.values.length > 0 },
  ]
}
