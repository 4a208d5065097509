import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { domainMissing } from "@/lib/domains/problems"
import { Domain } from "@/lib/domains/schema"
import * as domains from "@/lib/domains/store"

export const getDomain = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}",
  operationId: "getDomain",
  tag: "Sending domains",
  summary: "Get domain",
  description: "With every record to publish, its status, and what the last check found.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, Domain],
  problems: [projectMissing, domainMissing],

  async run(scope, { path }, io) {
    const domain = await domains.findDomain(scope, path.domainId, io.clock.now())
    if (!domain) throw domainMissing()
    return domain
  },
})
