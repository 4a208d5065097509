import { z } from "zod"
import { addressTextMax, parsePlainAddress } from "@/lib/addresses/address"
import { suppressionReasons } from "@/lib/consent/rules"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, timestamp } from "@/lib/platform/schema"

export const reason = z.enum(suppressionReasons)

/** An address on its own, in the canonical form that is compared with recipients. */
const plainAddress = z
  .string()
  .transform((text, context) => {
    const parsed = parsePlainAddress(text)
    if (parsed.ok) return parsed.canonical
    context.addIssue({ code: "custom", message: parsed.reason })
    return z.NEVER
  })
  .meta({ format: "email", maxLength: addressTextMax })

export const Suppression = z
  .strictObject({
    id: id("sup"),
    projectId: id("proj"),
    email: z.string().describe("In canonical form: lower case, the domain as A-labels."),
    reason: z.string().describe("`bounce`, `complaint`, `manual` or `unsubscribe`."),
    contactId: id("con").optional().describe("The contact with this address, if there is one."),
    emailId: id("email").optional().describe("Additive: the email that led to it."),
    eventId: id("evt").optional().describe("Additive: the event that led to it; it is in the timeline of the email."),
    evidence: z.string().optional().describe("Additive: the evidence, such as the response of the recipient's server."),
    createdAt: timestamp,
  })
  .meta({ id: "SuppressionResponse" })

export type Suppression = z.output<typeof Suppression>

export const SuppressionPage = pageOf(Suppression)

export const NewSuppression = z.strictObject({ email: plainAddress }).meta({ id: "AddSuppressionBody" })

const ImportRow = z
  .strictObject({
    email: z.string().meta({ format: "email", maxLength: addressTextMax }),
    reason: reason.default("manual"),
  })
  .meta({ id: "SuppressionImportRowSerializable" })

/** Replaces a malformed row, so that it is reported and the others are imported. */
export const noRow: z.output<typeof ImportRow> = { email: "", reason: "manual" }

/** Names and values of an import's JSON: enough for 100,000 rows with a reason. */
export const importPartsMax = 510_000
/** Of a row: the object, a name and its value. */
const rowPartsMin = 3

export const SuppressionImport = z
  .strictObject({
    suppressions: z
      .array(ImportRow.catch(noRow).meta({ default: undefined }))
      .meta({ maxItems: importPartsMax / rowPartsMin }),
    dryRun: z.boolean().default(false).describe("Additive: counts and reports, but changes nothing."),
  })
  .meta({ id: "SuppressionImportBody" })

export const SuppressionImported = z
  .strictObject({
    imported: int32.describe("Addresses added."),
    skipped: int32.describe("Rows that were invalid or repeated, or whose address was already suppressed."),
    invalid: int32.optional().describe("Additive: how many of the skipped rows were invalid."),
    dryRun: z.boolean().optional().describe("Additive: true if nothing was changed."),
    errors: z
      .array(
        z.strictObject({ row: int32.describe("Position of the row, from 0."), email: z.string(), detail: z.string() }),
      )
      .optional()
      .describe("Additive: the first 1,000 invalid rows."),
  })
  .meta({ id: "SuppressionImportResponse" })

export type SuppressionImported = z.output<typeof SuppressionImported>

export const suppressionMissing = problem(
  "suppression.not_found",
  404,
  "Suppression not found",
  "This address is not on the project's suppression list. URL-encode the address in the path, as in `ada%40example.com`.",
)
