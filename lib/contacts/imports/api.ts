import type { Readable } from "node:stream"
import { z } from "zod"
import { buckets, exported } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { declaredProperties } from "@/lib/contact-properties/data"
import { columnsMax, judgedRows, type Mapping } from "@/lib/contacts/imports/file-rules"
import {
  addImportOfChecked,
  dropImportFile,
  eachRejected,
  endAsCancelled,
  findCheckedFile,
  findImport,
  listErrors,
  listImports,
  openImports,
  takeCheckedFile,
} from "@/lib/contacts/imports/data"
import {
  dryRunParameter,
  formatsOf,
  importParameters,
  refuseUnknownSegment,
  refuseWithoutAddresses,
  targetsOf,
} from "@/lib/contacts/imports/import-contacts"
import { CsvBroken, readableOf, tableRows } from "@/lib/contacts/imports/rows"
import { fileHours, importModes, openImportsMax, type Options } from "@/lib/contacts/imports/rules"
import {
  ContactImport,
  ContactImportPage,
  ContactImportSample,
  ImportErrorPage,
  importFileGone,
  importMissing,
  importsBusy,
  sampleCellCharsMax,
} from "@/lib/contacts/imports/schema"
import type { DateOrder } from "@/lib/contacts/imports/value-rules"
import { plainCell } from "@/lib/platform/csv-rules"
import { csvDownload } from "@/lib/platform/download"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { storage } from "@/lib/platform/storage/storage"
import { cutText } from "@/lib/platform/format"

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

export const exportRejectedRows = endpoint({
  route: "GET /v1/projects/{projectId}/contact-imports/{importId}/rejected",
  operationId: "exportRejectedRows",
  tag: "Contacts",
  summary: "Export rejected rows of an import",
  description:
    "The rejected rows as CSV (RFC 4180, UTF-8), with the columns of the file and `reason` as the last one, streamed, so it can have any length. Corrected, the file can be imported as it is: `reason` is ignored unless it is mapped. Of a row, 16,384 characters are kept. A cell that a spreadsheet would run as a formula begins with an apostrophe.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  strictQuery: true,
  path: { importId: { prefix: "imp", missing: importMissing } },
  answers: [200, undefined, "text/csv"],
  problems: [projectMissing, importMissing],
  additive: true,

  async run(scope, { path: { importId } }) {
    const found = await findImport(scope, importId)
    if (!found) throw importMissing()
    return csvDownload({
      filename: "rejected.csv",
      columns: [...found.columns.map(({ name }) => name), "reason"],
      groups: exported(scope, eachRejected(scope, importId)),
      cellsOf: ({ cells, faults }) => [
        ...found.columns.map((_, at) => plainCell(cells[at] ?? "")),
        faults.map(({ column, detail }) => (column ? `${column}: ${detail}` : detail)).join(" "),
      ],
    })
  },
})

export const getContactImportSample = endpoint({
  route: "GET /v1/projects/{projectId}/contact-imports/{importId}/sample",
  operationId: "getContactImportSample",
  tag: "Contacts",
  summary: "Get first rows of a dry run",
  description:
    "The names of the columns and the first rows of the file that a completed dry run keeps, to map its columns again.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  strictQuery: true,
  path: { importId: { prefix: "imp", missing: importMissing } },
  answers: [200, ContactImportSample],
  problems: [projectMissing, importMissing, importFileGone],
  additive: true,

  async run(scope, { path: { importId } }) {
    if (!(await findImport(scope, importId))) throw importMissing()
    const checked = await findCheckedFile(scope, importId, { maxAgeHours: fileHours })
    const file = checked && (await (await storage()).get(checked.key))
    if (!file) throw importFileGone()
    const { header, delimiter } = checked.options
    const rows = await sampleOf(readableOf(file), delimiter)
    return { object: "contact_import_sample" as const, header, delimiter, rows }
  },
})

/** Characters of the rows of a sample, about as many as a browser reads of a file. */
const sampleCharsMax = 256 * 1024

async function sampleOf(source: Readable, delimiter: string): Promise<string[][]> {
  const rows: string[][] = []
  let chars = 0
  try {
    for await (const { cells } of tableRows(source, delimiter)) {
      rows.push(cells.slice(0, columnsMax).map((cell) => cutText(cell, sampleCellCharsMax)))
      chars += cells.reduce((sum, cell) => sum + cell.length, 0)
      if (rows.length > judgedRows || chars > sampleCharsMax) break
    }
  } catch (error) {
    if (!(error instanceof CsvBroken)) throw error
  }
  // Without the header.
  return rows.slice(1)
}

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
    "Starts another import of the file that a dry run has checked, without another upload: with the same mapping, mode and segment, or with those given here, and with `dryRun` as another check. A completed dry run keeps its file for 24 hours, until `fileUntil`; the new import takes it over, so each dry run can be run once. The response is the new import: poll it by its `id`.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  strictQuery: true,
  path: { importId: { prefix: "imp", missing: importMissing } },
  query: { mode: z.enum(importModes).optional(), dryRun: dryRunParameter, ...importParameters },
  answers: [202, ContactImport],
  location: "/v1/projects/{projectId}/contact-imports/{id}",
  problems: [requestInvalid, projectMissing, importMissing, importsBusy, importFileGone],
  additive: true,

  async run(scope, { path: { importId }, query: { mode, dryRun, mapping, dates, segmentId } }) {
    if (!(await findImport(scope, importId))) throw importMissing()
    if ((await openImports(scope)) >= openImportsMax) throw importsBusy()
    await refuseUnknownSegment(scope, segmentId)
    const remapped = mapping || dates ? await remap(scope, importId, mapping, dates) : {}
    const change = { ...remapped, dryRun, ...(mode && { mode }), ...(segmentId && { segmentId }) }
    const started = await addImportOfChecked(scope, importId, change)
    if (!started) throw importFileGone()
    return started
  },
})

/** The options of a dry run's file that another mapping or order of dates changes. */
async function remap(
  scope: Scope,
  importId: string,
  mapping: Mapping | undefined,
  dates: DateOrder | undefined,
): Promise<Partial<Options>> {
  const checked = await findCheckedFile(scope, importId, { maxAgeHours: fileHours })
  const file = checked && (await (await storage()).get(checked.key))
  if (!file) throw importFileGone()
  const { options } = checked
  const { header, delimiter } = options
  const targets = mapping ? targetsOf(header, mapping, await declaredProperties(scope.project.id)) : options.targets
  refuseWithoutAddresses(targets)
  const order = dates ?? options.dates
  const formats = await formatsOf(scope, () => readableOf(file), { targets, delimiter, dates: order })
  return { targets, formats, ...(order && { dates: order }) }
}

export const contactImportOperations = [
  listContactImports,
  getContactImport,
  listContactImportErrors,
  exportRejectedRows,
  getContactImportSample,
  cancelContactImport,
  runContactImport,
] as const
