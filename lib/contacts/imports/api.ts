import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import {
  addImportOfChecked,
  dropImportFile,
  endAsCancelled,
  findImport,
  listErrors,
  listImports,
  openImports,
  takeCheckedFile,
} from "@/lib/contacts/imports/data"
import { openImportsMax } from "@/lib/contacts/imports/rules"
import {
  ContactImport,
  ContactImportPage,
  ImportErrorPage,
  importFileGone,
  importMissing,
  importsBusy,
} from "@/lib/contacts/imports/schema"
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
    if ((await openImports(scope)) >= openImportsMax) throw importsBusy()
    const started = await addImportOfChecked(scope, importId)
    if (!started) throw importFileGone()
    return started
  },
})

export const contactImportOperations = [
  listContactImports,
  getContactImport,
  listContactImportErrors,
  cancelContactImport,
  runContactImport,
] as const
