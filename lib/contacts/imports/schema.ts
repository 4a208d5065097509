import { z } from "zod"
import { encodings } from "@/lib/contacts/imports/encoding-rules"
import { importModes, importStatuses } from "@/lib/contacts/imports/rules"
import { PageInfo, pageOf } from "@/lib/platform/http/paging"
import { id, int32, int64, timestamp } from "@/lib/platform/schema"

export const ContactImport = z
  .strictObject({
    id: id("imp"),
    object: z.literal("contact_import").meta({ type: "string" }),
    projectId: id("proj"),
    status: z.enum(importStatuses),
    mode: z.enum(importModes),
    dryRun: z.boolean().describe("Rows are read and counted, nothing is written."),
    fileName: z.string().optional(),
    encoding: z.enum(encodings).optional().describe("In which the file was written; additive."),
    segmentId: id("seg").optional().describe("The segment that its contacts join."),
    columns: z
      .array(z.strictObject({ name: z.string(), target: z.string().nullable() }))
      .describe("Where each column goes: a field, `properties.<key>`, or nowhere (`null`)."),
    bytes: int64.describe("Size of the file."),
    bytesRead: int64.describe("Of these done with: the progress."),
    processed: int32.describe("Rows done with: created, updated, skipped or failed."),
    created: int32,
    updated: int32,
    skipped: int32,
    failed: int32.describe("Rows that were refused; the list of errors has them all."),
    fileUntil: timestamp
      .optional()
      .describe("A completed dry run keeps its file until then: `POST …/run` imports its rows."),
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
    row: z.string().optional().describe("The row as it came, its first 500 characters; additive."),
  })
  .meta({ id: "ContactImportErrorResponse" })

export type ImportError = z.output<typeof ImportError>

export const ImportErrorPage = z
  .strictObject({ data: z.array(ImportError), page: PageInfo })
  .meta({ id: "Page_ContactImportErrorResponse" })
