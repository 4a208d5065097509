import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { dropImportFile } from "@/lib/contacts/imports/files"
import { endAsCancelled, takeCheckedFile } from "@/lib/contacts/imports/file-store"
import { importMissing } from "@/lib/contacts/imports/problems"
import { ContactImport } from "@/lib/contacts/imports/schema"
import { findImport } from "@/lib/contacts/imports/store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const cancelContactImport = endpoint({
  route: "POST /v1/projects/{projectId}/contact-imports/{importId}/cancel",
  operationId: "cancelContactImport",
  tag: "Contacts",
  summary: "Cancel import of contacts",
  description:
    "No more rows are written; rows already written remain. An import that has ended is unchanged, except that a completed dry run loses its file.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  strictQuery: true,
  path: { importId: { prefix: "imp", missing: importMissing } },
  answers: [200, ContactImport],
  problems: [projectMissing, importMissing],
  additive: true,

  async run(scope, { path: { importId } }) {
    const file = await takeCheckedFile(scope, importId)
    if (file) await dropImportFile(file.key)
    await endAsCancelled(scope, importId)
    const cancelled = await findImport(scope, importId)
    if (!cancelled) throw importMissing()
    return cancelled
  },
})
