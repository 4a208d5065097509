import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { cannotSendYet, waitsForInstallation } from "@/lib/domains/registration/sandbox-rules"
import * as domains from "@/lib/domains/store"
import { domainMissing } from "@/lib/domains/problems"
import { zoneFile } from "@/lib/domains/records/zone-file"
import { regionSettings } from "@/lib/regions/settings"

export const getZoneFile = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/zone-file",
  operationId: "getDomainZoneFile",
  tag: "Sending domains",
  summary: "Get domain's records as a zone file",
  description:
    "All records to publish in BIND's zone file format, for DNS providers that can import it. Long values are split as TXT records require.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, z.string(), "text/dns"],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path }, io) {
    const found = await domains.publishedRecords(scope, path.domainId, io.clock.now())
    if (!found) throw domainMissing()
    const transport = regionSettings().profiles[found.region].transport
    const warning = waitsForInstallation({ ...found, transport }) ? cannotSendYet : null
    return new Reply(200, {
      stream: zoneFile(found.domain, found.records, io.clock.now(), warning),
      headers: {
        "Content-Type": "text/dns; charset=utf-8",
        "Content-Disposition": `attachment; filename="${found.domain}.zone"`,
      },
    })
  },
})
