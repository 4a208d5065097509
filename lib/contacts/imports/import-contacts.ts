import { createReadStream, createWriteStream } from "node:fs"
import { rename, stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { declaredProperties } from "@/lib/contact-properties/data"
import {
  columnsMax,
  delimiterOf,
  guessTargets,
  headerName,
  judgedRows,
  type Mapping,
} from "@/lib/contacts/imports/column-rules"
import {
  addImport,
  dropImportFile,
  filesFull,
  type FilesFull,
  keepImportFile,
  openImports,
} from "@/lib/contacts/imports/data"
import { createEncodingScan, type FileEncoding } from "@/lib/contacts/imports/encoding-rules"
import {
  dryRunParameter,
  formatsOf,
  importParameters,
  importRefused,
  refuseUnknownSegment,
  refuseWithoutAddresses,
  targetsOf,
} from "@/lib/contacts/imports/input"
import { CsvBroken, tableRows } from "@/lib/contacts/imports/rows"
import { importModes, openImportsMax, type Options } from "@/lib/contacts/imports/rules"
import { ContactImport, importFilesFull, importsBusy } from "@/lib/contacts/imports/schema"
import { endpoint, requestOf } from "@/lib/platform/http/endpoint"
import type { Problem } from "@/lib/platform/http/problem"
import { requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { spool } from "@/lib/platform/http/spool"
import { refuseStorageFull } from "@/lib/projects/quota/data"
import { storageFull } from "@/lib/projects/schema"

const fileBytesMax = 256 * 2 ** 20
const headBytes = 64 * 1024

export const importContacts = endpoint({
  route: "POST /v1/projects/{projectId}/contacts/import",
  operationId: "importContacts",
  tag: "Contacts",
  summary: "Import contacts",
  description:
    "Takes a CSV file (RFC 4180, first row a header; comma, semicolon, tab or bar, by which the rows have most columns, or what a first line such as `sep=;` names) of at most 256 MiB in UTF-8, UTF-16 or Windows-1252 (Latin-1), which is recognised by its bytes, and reads it in the background: poll the import by the response's `id`. Without `mapping`, columns are matched to fields by their usual names (in English, German, French, Spanish, Italian, Dutch, Portuguese and Turkish) and to properties by key; if two columns match the same target, the first is used, and a column called email wins over one called address. The only column in which half of the first values or more are addresses is used as `email`, whatever its name. Empty cells leave a contact's value unchanged. Spaces around a cell are kept only within quotes, and an apostrophe before text that a spreadsheet would run as a formula is removed. An import can set `unsubscribed` but never clears it; yes and no are read in the same languages, as are WAHR, VRAI and the like, for `unsubscribed` and for properties of type `boolean`. Numbers are converted to the API's format, from a decimal comma or point, with thousands separated by the other, a space or an apostrophe. Dates are read in ISO 8601, as 31.03.2026, 31/03/2026, 3/31/2026, and with the name of the month in English, German, French or Spanish; a time after them is left out. Where a value could be read in two ways (1.234, 03/04/2026), the other values of its column decide, up to the first 50,000 rows; if none tells, a comma is the decimal mark in a file with semicolons and a point in others, and the day comes first unless `dates` says otherwise. `columns` of the response says what was decided. Rows without any value are skipped. A rejected row does not stop the import and is listed with its line. A row is written once, even if the process crashes. With `dryRun`, everything is read, checked and counted but nothing is written, and the file is kept for 24 hours so that `POST …/contact-imports/{importId}/run` can import it. Addresses that are repeated far apart in the file are then counted as created each time.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  query: {
    mode: z
      .enum(importModes)
      .default("upsert")
      .describe("What happens to a contact that already exists: it is updated or left unchanged."),
    dryRun: dryRunParameter,
    ...importParameters,
    fileName: z.string().max(255).optional().describe("Shown in the list of imports."),
  },
  bodyStream: "text/csv",
  bodyBytesMax: fileBytesMax,
  answers: [202, ContactImport],
  location: "/v1/projects/{projectId}/contact-imports/{id}",
  problems: [requestInvalid, projectMissing, importsBusy, importFilesFull, storageFull],
  additive: true,
  strictQuery: true,

  async run(scope, input) {
    const { mode, dryRun, mapping, dates, segmentId = null, fileName = null } = input.query
    if ((await openImports(scope)) >= openImportsMax) throw importsBusy()
    const request = requestOf(input)
    const announced = Number(request.headers.get("content-length") ?? 0)
    refuseFull(await filesFull(scope, announced))
    await refuseStorageFull(scope, announced)
    const file = await spool(request, { bytesMax: fileBytesMax, owner: scope.project.id })
    try {
      const { encoding, bytes } = await rewriteAsUtf8(file.path)
      if (bytes > fileBytesMax)
        throw importRefused([{ pointer: "body", detail: "In UTF-8 the file has more than 256 MiB. Split it." }])
      const { header, targets, delimiter } = await headOf(scope, file.path, mapping)
      await refuseUnknownSegment(scope, input.query.segmentId)
      const formats = await formatsOf(scope, () => createReadStream(file.path), { targets, delimiter, dates })
      const kept = await keepImportFile(scope.project.id, file.path)
      const how = { mode, dryRun, encoding, delimiter, header, targets, formats, fileName, segmentId }
      const options: Options = dates ? { ...how, dates } : how
      const added = await addImport(scope, { ...kept, bytes, options })
      if (typeof added === "object") return added
      await dropImportFile(kept.key)
      throw full(added)
    } finally {
      await file.remove()
    }
  },
})

function refuseFull(found: FilesFull | null) {
  if (found) throw full(found)
}

function full(found: FilesFull): Problem {
  if (found === "project") return importFilesFull()
  return serviceUnavailable("Too many files wait to be imported, over all projects.", { retryAfterSeconds: 60 })
}

/** The header of a file and where its columns go. @throws requestInvalid with every fault of header and mapping */
async function headOf(scope: Scope, path: string, mapping: Mapping | undefined) {
  const delimiter = delimiterOf(await firstText(path))
  const [[first = [], ...rows], declared] = await Promise.all([
    firstRows(path, delimiter),
    declaredProperties(scope.project.id),
  ])
  const header = first.map(headerName)
  if (header.length === 0)
    throw importRefused([{ pointer: "body", detail: "The file is empty: its first line names the columns." }])
  if (header.length > columnsMax)
    throw importRefused([{ pointer: "body", detail: `The file has more than ${columnsMax} columns.` }])

  const targets = mapping ? targetsOf(header, mapping, declared) : guessTargets(header, declared, rows)
  refuseWithoutAddresses(targets)
  return { header, targets, delimiter }
}

async function firstText(path: string): Promise<string> {
  for await (const chunk of createReadStream(path, { end: headBytes, encoding: "utf8" })) return String(chunk)
  return ""
}

/** The header and the rows after it by which its columns are judged. */
async function firstRows(path: string, delimiter: string): Promise<string[][]> {
  const rows: string[][] = []
  try {
    for await (const { cells } of tableRows(createReadStream(path), delimiter)) {
      rows.push(cells)
      if (rows.length > judgedRows) break
    }
    return rows
  } catch (error) {
    if (rows.length > 0) return rows
    if (error instanceof CsvBroken) throw importRefused([{ pointer: "body", detail: error.message }])
    throw error
  }
}

/** Rewrites a file in UTF-8 unless it is; answers how it was written, and its size now. Memory holds a few chunks of it. */
async function rewriteAsUtf8(path: string): Promise<{ encoding: FileEncoding; bytes: number }> {
  const encoding = await encodingOf(path)
  if (encoding !== "utf-8") {
    const rewritten = `${path}.utf-8`
    await pipeline(createReadStream(path), decoded(encoding), createWriteStream(rewritten, { mode: 0o600 }))
    await rename(rewritten, path)
  }
  return { encoding, bytes: (await stat(path)).size }
}

async function encodingOf(path: string): Promise<FileEncoding> {
  const scan = createEncodingScan()
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    scan.add(chunk)
    if (scan.decided()) break
  }
  return scan.encoding()
}

function decoded(encoding: FileEncoding) {
  return async function* (source: AsyncIterable<Buffer>) {
    const decoder = new TextDecoder(encoding)
    for await (const chunk of source) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
}
