import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { listChecks } from "@/lib/domains/check/check-store"
import { domainMissing } from "@/lib/domains/problems"
import { DomainCheckPage } from "@/lib/domains/schema"

export const listDomainChecks = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/checks",
  operationId: "listDomainChecks",
  tag: "Sending domains",
  summary: "List domain's checks",
  description:
    "Checks that found a change, and checks that someone ran, newest first, each with what changed since the previous one. The last 200 are kept.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  query: pageQuery(),
  answers: [200, DomainCheckPage],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path, query }) {
    const checks = await listChecks(scope, path.domainId, query)
    if (!checks) throw domainMissing()
    return page(query, checks.data, checks.total)
  },
})
