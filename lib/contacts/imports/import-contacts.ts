import type { Readable } from "node:stream"
import { z } from "zod"
import { type DeclaredProperties, declaredProperties } from "@/lib/contact-properties/data"
import {
  type ColumnTarget,
  judgedRows,
  mappedTargets,
  type Mapping,
  mappingFaults,
  propertyTypeOf,
  columnsMax,
  delimiterOf,
  guessTargets,
  headerName,
  createEncodingScan,
  type FileEncoding,
} from "@/lib/contacts/imports/file-rules"
import { CsvBroken, tableRows } from "@/lib/contacts/imports/rows"
import {
  createFormatScan,
  type DateOrder,
  dateOrders,
  type DecidedFormat,
  formatOtherwise,
} from "@/lib/contacts/imports/value-rules"
import type { FieldProblem, Problem } from "@/lib/platform/http/problem"
import { requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { id, trueOrFalse } from "@/lib/platform/schema"
import { existingSegments } from "@/lib/segments/data"
import { createReadStream, createWriteStream } from "node:fs"
import { rename, stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import {
  addImport,
  dropImportFile,
  filesFull,
  type FilesFull,
  keepImportFile,
  openImports,
} from "@/lib/contacts/imports/data"
import { importModes, openImportsMax, type Options } from "@/lib/contacts/imports/rules"
import { ContactImport, importFilesFull, importsBusy } from "@/lib/contacts/imports/schema"
import { endpoint, requestOf } from "@/lib/platform/http/endpoint"
import { spool } from "@/lib/platform/http/uploads"
import { refuseStorageFull } from "@/lib/projects/quota/data"
import { storageFull } from "@/lib/projects/schema"

const Targets = z.union([z.array(z.string().nullable()), z.record(z.string(), z.string().nullable())])

const Mapped = z.codec(z.string().max(32_768), Targets, {
  decode: (text, context) => {
    const given = fromJson(text)
    const parsed = Targets.safeParse(given)
    if (parsed.success) return parsed.data
    const wrong = Object.entries(given ?? {}).filter(([, target]) => target !== null && typeof target !== "string")
    for (const [column] of wrong)
      context.issues.push({ code: "custom", input: text, path: [column], message: "Must be a target or null." })
    if (!wrong.length)
      context.issues.push({
        code: "custom",
        input: text,
        message: "Must be a JSON object of column names to targets, or a list of targets, one for each column.",
      })
    return z.NEVER
  },
  encode: (mapping) => JSON.stringify(mapping),
})

/** Query parameters of an upload and of a dry run that is run again. */
export const importParameters = {
  mapping: Mapped.optional()
    .describe(
      'JSON: column name to `email`, `firstName`, `lastName`, `phone`, `unsubscribed`, `properties.<key>` or null, as in `{"E-Mail": "email"}`; or a list with the target of each column by position, as in `["email", null]`, for columns with the same name.',
    )
    .meta({ type: "string" }),
  dates: z
    .enum(dateOrders)
    .optional()
    .describe(
      "How dates such as 03/04/2026 are read in a column none of whose values tells; `day_first` if omitted. A column with 31/03/2026 is read day first whatever this says.",
    ),
  segmentId: id("seg").optional().describe("Segment to which the contacts are added."),
}

export const dryRunParameter = trueOrFalse().default(false).meta({ default: false })

/** The targets that a mapping gives to the columns. @throws requestInvalid with every fault of it */
export function targetsOf(header: readonly string[], mapping: Mapping, declared: DeclaredProperties): ColumnTarget[] {
  const faults = mappingFaults(header, mapping, declared)
  if (faults.length)
    throw importRefused(
      faults.map(({ column, detail }) => ({
        pointer: column === null ? "query/mapping" : `query/mapping/${column}`,
        detail,
      })),
    )
  return mappedTargets(header, mapping)
}

/** @throws requestInvalid where no column goes to the address */
export function refuseWithoutAddresses(targets: readonly ColumnTarget[]): void {
  if (!targets.includes("email"))
    throw importRefused([{ pointer: "query/mapping", detail: "No column holds the email addresses." }])
}

/** @throws requestInvalid where the project has no such segment */
export async function refuseUnknownSegment(scope: Scope, segmentId: string | undefined): Promise<void> {
  if (segmentId && !(await existingSegments(scope.project.id, [segmentId])).size)
    throw importRefused([{ pointer: "query/segmentId", detail: "Names no segment of this project." }])
}

function importRefused(errors: FieldProblem[]) {
  return requestInvalid(errors[0]?.detail, { errors: errors.slice(0, 100) })
}

/** Rows by which the format of a column is decided, if none of the first hundred tells. */
const formatRowsMax = 50_000

/** How numbers and dates are written in the columns that go to properties of these types. */
export async function formatsOf(
  scope: Scope,
  file: () => Readable,
  { targets, delimiter, dates }: { targets: readonly ColumnTarget[]; delimiter: string; dates: DateOrder | undefined },
): Promise<(DecidedFormat | null)[]> {
  const declared = await declaredProperties(scope.project.id)
  const types = targets.map((target) => propertyTypeOf(target, declared))
  const scan = createFormatScan(types)
  if (scan.decided()) return scan.formats(formatOtherwise(delimiter, dates))
  let read = 0
  try {
    for await (const { cells } of tableRows(file(), delimiter)) {
      read += 1
      if (read > 1) scan.add(cells)
      if (read > formatRowsMax || (read > judgedRows && scan.decided())) break
    }
  } catch (error) {
    // Where it breaks is found again, and told, by the import.
    if (!(error instanceof CsvBroken)) throw error
  }
  return scan.formats(formatOtherwise(delimiter, dates))
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

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
    const file = await spool(request, { bytesMax: fileBytesMax, owner: scope.organization.id })
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
