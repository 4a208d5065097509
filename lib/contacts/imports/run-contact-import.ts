import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { importFileGone, importMissing, importsBusy } from "@/lib/contacts/imports/problems"
import { openMax } from "@/lib/contacts/imports/rules"
import { ContactImport } from "@/lib/contacts/imports/schema"
import { addImportOfChecked, findImport, openImports } from "@/lib/contacts/imports/store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const runContactImport = endpoint({
  route: "POST /v1/projects/{projectId}/contact-imports/{importId}/run",
  operationId: "runContactImport",
  tag: "Contacts",
  summary: "Import rows of a dry run",
  description:
    "Starts the import that a dry run has checked: the same file, mapping, mode and segment, without another upload. A completed dry run keeps its file for 24 hours, until `fileUntil`, and can be run once. The response is the new import: poll it by its `id`.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  strictQuery: true,
  path: { importId: { prefix: "imp", missing: importMissing } },
  answers: [202, ContactImport],
  location: "/v1/projects/{projectId}/contact-imports/{id}",
  problems: [projectMissing, importMissing, importsBusy, importFileGone],
  additive: true,

  async run(scope, { path: { importId } }) {
    if (!(await findImport(scope, importId))) throw importMissing()
    if ((await openImports(scope)) >= openMax) throw importsBusy()
    const started = await addImportOfChecked(scope, importId)
    if (!started) throw importFileGone()
    return started
  },
})
