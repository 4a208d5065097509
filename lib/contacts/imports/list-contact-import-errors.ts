import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { importMissing } from "@/lib/contacts/imports/problems"
import { ImportErrorPage } from "@/lib/contacts/imports/schema"
import { findImport, listErrors } from "@/lib/contacts/imports/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"

export const listContactImportErrors = endpoint({
  route: "GET /v1/projects/{projectId}/contact-imports/{importId}/errors",
  operationId: "listContactImportErrors",
  tag: "Contacts",
  summary: "List refused rows of an import",
  description: "Every rejected row with its line, and the column and reason of each error.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  strictQuery: true,
  path: { importId: { prefix: "imp", missing: importMissing } },
  query: pageQuery(100),
  answers: [200, ImportErrorPage],
  problems: [projectMissing, importMissing],
  additive: true,

  async run(scope, { path: { importId }, query }) {
    const found = await findImport(scope, importId)
    if (!found) throw importMissing()
    return page(query, await listErrors(scope, importId, query), found.failed)
  },
})
