import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { importMissing } from "@/lib/contacts/imports/problems"
import { ContactImport } from "@/lib/contacts/imports/schema"
import { findImport } from "@/lib/contacts/imports/store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const getContactImport = endpoint({
  route: "GET /v1/projects/{projectId}/contact-imports/{importId}",
  operationId: "getContactImport",
  tag: "Contacts",
  summary: "Get import of contacts",
  description: "Status and row counts. `bytesRead` of `bytes` is the progress.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { importId: { prefix: "imp", missing: importMissing } },
  answers: [200, ContactImport],
  problems: [projectMissing, importMissing],
  additive: true,

  async run(scope, { path: { importId } }) {
    const found = await findImport(scope, importId)
    if (!found) throw importMissing()
    return found
  },
})
