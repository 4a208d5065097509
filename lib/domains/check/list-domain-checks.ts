import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { listLooks } from "@/lib/domains/check/history-store"
import { domainMissing } from "@/lib/domains/problems"
import { DomainLookPage } from "@/lib/domains/schema"

export const listDomainChecks = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/checks",
  operationId: "listDomainChecks",
  tag: "Sending domains",
  summary: "List domain's checks",
  description:
    "The looks at the domain's records that changed something or were asked for, newest first, each with what it showed differently from the one before. The last 200 are kept.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  query: pageQuery(),
  answers: [200, DomainLookPage],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path, query }) {
    const looks = await listLooks(scope, path.domainId, query)
    if (!looks) throw domainMissing()
    return page(query, looks.data, looks.total)
  },
})
