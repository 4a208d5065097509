import { z } from "zod"
import { encodings } from "@/lib/contacts/imports/encoding-rules"
import { importModes, importStatuses } from "@/lib/contacts/imports/rules"
import { PageInfo, pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, int64, timestamp } from "@/lib/platform/schema"

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
      .array(z.strictObject({ name: z.string(), target: z.string().nullable() }))
      .describe("Where each column goes: a field, `properties.<key>`, or nowhere (`null`)."),
    bytes: int64.describe("Size of the file."),
    bytesRead: int64.describe("Bytes read so far, which is the progress."),
    processed: int32.describe("Rows processed so far: created, updated, skipped or failed."),
    created: int32,
    updated: int32,
    skipped: int32,
    failed: int32.describe("Rejected rows; the list of errors contains all of them."),
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
