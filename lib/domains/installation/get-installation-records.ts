import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { installationRecords } from "@/lib/domains/installation/installation-records"
import { domainMissing } from "@/lib/domains/problems"
import * as domains from "@/lib/domains/store"
import { createDns, type Dns } from "@/lib/platform/dns/dns"
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
