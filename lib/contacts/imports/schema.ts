import { z } from "zod"
import { judgedRows, encodings } from "@/lib/contacts/imports/file-rules"
import { faultGroupsMax, importModes, importStatuses } from "@/lib/contacts/imports/rules"
import { dateOrders, decimalMarks } from "@/lib/contacts/imports/value-rules"
import { PageInfo, pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, int64, timestamp } from "@/lib/platform/schema"

const Format = z
  .strictObject({
    decimal: z.enum(decimalMarks).optional().describe("Whether comma or point separates the decimals of its numbers."),
    dates: z.enum(dateOrders).optional().describe("How its dates such as 03/04/2026 are read."),
    assumed: z.boolean().describe("None of its values told, so that a default decided."),
  })
  .describe("Additive: how a column is read that could be read in two ways, decided for all of its values.")
  .meta({ id: "ContactImportFormatResponse" })

const ErrorGroup = z
  .strictObject({
    column: z.string().describe("Empty if the reason concerns the whole row."),
    detail: z.string(),
    rows: int32.describe("Rows with this error."),
    examples: z
      .array(z.string())
      .describe("Up to three values of the column that were rejected, cut to 60 characters."),
  })
  .meta({ id: "ContactImportErrorGroupResponse" })

export const ContactImport = z
  .strictObject({
    id: id("imp"),
    object: z.literal("contact_import").meta({ type: "string" }),
    projectId: id("proj"),
    status: z.enum(importStatuses),
    mode: z.enum(importModes),
    dryRun: z.boolean().describe("Rows are read and counted, but nothing is written."),
    fileName: z.string().optional(),
    encoding: z.enum(encodings).optional().describe("Additive: the encoding of the file."),
    segmentId: id("seg").optional().describe("The segment to which its contacts are added."),
    columns: z
      .array(z.strictObject({ name: z.string(), target: z.string().nullable(), format: Format.optional() }))
      .describe("Where each column goes: a field, `properties.<key>`, or nowhere (`null`)."),
    bytes: int64.describe("Size of the file."),
    bytesRead: int64.describe("Bytes read so far, which is the progress."),
    processed: int32.describe("Rows processed so far: created, updated, skipped or failed."),
    created: int32,
    updated: int32,
    skipped: int32,
    failed: int32.describe("Rejected rows; the list of errors contains all of them."),
    errorGroups: z
      .array(ErrorGroup)
      .optional()
      .describe(
        `Additive, where one import is read: why rows were rejected, by column and reason, those of most rows first; up to ${faultGroupsMax} groups.`,
      ),
    fileUntil: timestamp
      .optional()
      .describe("A completed dry run keeps its file until then, so that `POST …/run` can import its rows."),
    failure: z.string().optional().describe("Why a failed import failed."),
    createdAt: timestamp,
    startedAt: timestamp.optional(),
    endedAt: timestamp.optional(),
  })
  .meta({ id: "ContactImportResponse" })

export type ContactImport = z.output<typeof ContactImport>

export const ContactImportPage = pageOf(ContactImport)

const ImportError = z
  .strictObject({
    line: int32.describe("Line of the file where the row begins; the header is line 1."),
    faults: z.array(z.strictObject({ column: z.string(), detail: z.string() })),
    row: z.string().optional().describe("Additive: the first 500 characters of the row, unchanged."),
  })
  .meta({ id: "ContactImportErrorResponse" })

export type ImportError = z.output<typeof ImportError>

export const ImportErrorPage = z
  .strictObject({ data: z.array(ImportError), page: PageInfo })
  .meta({ id: "Page_ContactImportErrorResponse" })

export const sampleCellCharsMax = 200

export const ContactImportSample = z
  .strictObject({
    object: z.literal("contact_import_sample").meta({ type: "string" }),
    header: z.array(z.string()).describe("Names of the columns."),
    delimiter: z.string().describe("What separates the cells of the file."),
    rows: z
      .array(z.array(z.string()))
      .describe(
        `Cells of the first rows after the header, cut to ${sampleCellCharsMax} characters: up to ${judgedRows} rows, fewer where they are long.`,
      ),
  })
  .meta({ id: "ContactImportSampleResponse" })

export const importMissing = problem("import.not_found", 404, "Import not found", "This project has no such import.")
export const importsBusy = problem(
  "import.too_many",
  409,
  "Too many imports at once",
  "A project can run five imports at once. Wait for one to finish, or cancel one.",
)
export const importFileGone = problem(
  "import.file_gone",
  409,
  "Import file is missing",
  "Only a completed dry run has a file to import. It is kept for 24 hours and can be imported once. If its rows are not already being imported, upload the file again.",
)
export const importFilesFull = problem(
  "import.files_full",
  409,
  "Too many import files",
  "A project can have 20 files waiting to be imported, including those of dry runs, with 1 GiB in total. Wait for an import to finish, or run or cancel a dry run to release its file.",
)
