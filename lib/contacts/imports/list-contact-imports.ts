import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { ContactImportPage } from "@/lib/contacts/imports/schema"
import { listImports } from "@/lib/contacts/imports/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"

export const listContactImports = endpoint({
  route: "GET /v1/projects/{projectId}/contact-imports",
  operationId: "listContactImports",
  tag: "Contacts",
  summary: "List imports of contacts",
  description: "The imports of the project, newest first.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  query: pageQuery(),
  answers: [200, ContactImportPage],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query }) {
    const { data, total } = await listImports(scope, query)
    return page(query, data, total)
  },
})
