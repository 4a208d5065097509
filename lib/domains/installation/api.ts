import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import * as domains from "@/lib/domains/data"
import { feedbackHost, type ServiceNames, spfHost } from "@/lib/domains/records/records"
import { domainMissing } from "@/lib/domains/schema"
import { createDns } from "@/lib/platform/dns/dns"
import type { Dns } from "@/lib/platform/dns/types"
import { env } from "@/lib/platform/env/env"
import { endpoint } from "@/lib/platform/http/endpoint"
import type { Region } from "@/lib/regions/regions"

const InstallationRecords = z
  .strictObject({
    records: z.array(
      z.strictObject({
        name: z.string(),
        type: z.enum(["TXT", "A"]),
        found: z.boolean().describe("Whether the public DNS has it now."),
      }),
    ),
  })
  .meta({ id: "InstallationRecordsResponse" })

export const getInstallationRecords = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/installation-records",
  operationId: "getInstallationRecords",
  tag: "Sending domains",
  summary: "Check the installation's records",
  description:
    "The two records of the installation that email from the domain's region relies on, the SPF record and the bounce host, and whether the public DNS has them now. The installation's operator publishes them.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, InstallationRecords],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path }) {
    const domain = await domains.findDomain(scope, path.domainId)
    if (!domain) throw domainMissing()
    return { records: await installationRecords(domain.region as Region, env(), worldDns()) }
  },
})

let world: Dns | undefined

/** What public DNS returns. The sandbox answers for the names of an installation that cannot send yet. */
function worldDns(): Dns {
  return (world ??= createDns({ servers: env().dnsServers }))
}

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
