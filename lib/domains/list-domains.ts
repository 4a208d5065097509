import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { DomainPage } from "@/lib/domains/schema"
import * as domains from "@/lib/domains/store"

export const listDomains = endpoint({
  route: "GET /v1/projects/{projectId}/domains",
  operationId: "listDomains",
  tag: "Sending domains",
  summary: "List domains",
  description: "Newest first, in short form. Get a single domain to see the records to publish.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  query: pageQuery(),
  answers: [200, DomainPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await domains.listDomains(scope, query)
    return page(query, data, total)
  },
})
