import { z } from "zod"
import { buckets, exported } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { parseAddress } from "@/lib/addresses/address"
import { outweighs, type SuppressionReason } from "@/lib/consent/rules"
import { csvDownload } from "@/lib/platform/download"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import { encodeId } from "@/lib/platform/ids"
import { cutText } from "@/lib/platform/format"
import { createTurns } from "@/lib/platform/jobs/turns"
import * as suppressions from "@/lib/suppressions/data"
import { addManually, addSuppressions, countNew, eachSuppression, findSuppression } from "@/lib/suppressions/data"
import {
  NewSuppression,
  noRow,
  reason,
  Suppression,
  importPartsMax,
  SuppressionImport,
  SuppressionImported,
  suppressionMissing,
  SuppressionPage,
} from "@/lib/suppressions/schema"

export const listSuppressions = endpoint({
  route: "GET /v1/projects/{projectId}/suppressions",
  operationId: "listSuppressions",
  tag: "Suppressions",
  summary: "List suppressions",
  description: "Newest first, each with its cause. The total of a filtered list is counted up to 10,000.",
  access: allow("suppressions:read"),
  bucket: buckets.suppressions,
  query: {
    ...pageQuery(),
    reason: reason.optional().describe("Additive: only with this reason."),
    email: z
      .string()
      .min(1)
      .max(320)
      .optional()
      .describe("Additive: only this address, compared in its canonical form."),
    search: z.string().min(1).max(254).optional().describe("Additive: part of the address."),
  },
  answers: [200, SuppressionPage],
  problems: [projectMissing],

  async run(scope, { query: { reason: wanted, email, search, ...request } }) {
    const address = email === undefined ? undefined : parseAddress(email)
    const filter = { reason: wanted, email: address && (address.ok ? address.canonical : ""), search }
    const { data, total } = await suppressions.readSuppressions(scope, filter, request)
    return page(request, data, total)
  },
})

export const addSuppression = endpoint({
  route: "POST /v1/projects/{projectId}/suppressions",
  operationId: "addSuppression",
  tag: "Suppressions",
  summary: "Suppress one address",
  description:
    "The project sends nothing more to the address: to, cc and bcc are checked when an email is accepted and again right before it is sent. An address that is already on the list is returned unchanged, with its own reason.",
  access: allow("suppressions:write"),
  bucket: buckets.suppressions,
  body: NewSuppression,
  answers: [201, Suppression],
  location: "/v1/projects/{projectId}/suppressions/{email}",
  problems: [requestInvalid, projectMissing],
  example: { body: { email: "ada@lovelace.example" } },

  async run(scope, { body }) {
    const suppression = (await addManually(scope, body.email)) ?? (await findSuppression(scope, body.email))
    // Removed again at the same moment.
    if (!suppression) throw serviceUnavailable(undefined, { retryAfterSeconds: 1 })
    return suppression
  },
})

export const removeSuppression = endpoint({
  route: "DELETE /v1/projects/{projectId}/suppressions/{email}",
  operationId: "removeSuppression",
  tag: "Suppressions",
  summary: "Unsuppress one address",
  description:
    "Allows sends to the address again. Removing the reason `unsubscribe` also ends the global unsubscribe of the contact with this address: do this only if the person asked for it. If the address is listed for another reason and has also unsubscribed, that reason is removed and the unsubscribe stays on the list until it is removed too.",
  access: allow("suppressions:write"),
  bucket: buckets.suppressions,
  answers: [204],
  problems: [projectMissing, suppressionMissing],
  example: { path: { email: "ada@lovelace.example" } },

  async run(scope, { path }) {
    const parsed = parseAddress(path.email)
    if (!parsed.ok || !(await suppressions.removeAddress(scope, parsed.canonical))) throw suppressionMissing()
  },
})

const importBytesMax = 16 * 2 ** 20

export const importSuppressions = endpoint({
  route: "POST /v1/projects/{projectId}/suppressions/import",
  operationId: "importSuppressions",
  tag: "Suppressions",
  summary: "Bulk import suppressions",
  description:
    "Rows are normalised, then added; invalid and repeated rows and addresses that are on the list already are skipped, and the first 1,000 invalid ones are reported by their position. A row with a stronger reason than the one on the list (`unsubscribe`, and above it `complaint`) replaces it. At most 16 MiB, and 100,000 rows with a reason. With `dryRun`, rows are counted in the same way and nothing is changed. An interrupted import can be sent again.",
  access: allow("suppressions:write"),
  bucket: buckets.suppressions,
  strictQuery: true,
  body: SuppressionImport,
  bodyBytesMax: importBytesMax,
  bodyPartsMax: importPartsMax,
  checksItemsOf: "suppressions",
  answers: [200, SuppressionImported],
  problems: [requestInvalid, projectMissing],
  example: { body: { suppressions: [{ email: "ada@lovelace.example", reason: "unsubscribe" }] } },

  async run(scope, { body: { suppressions, dryRun } }) {
    const { rows, invalid, errors } = await planImport(suppressions)
    const imported = await (dryRun ? countNew : addSuppressions)(scope, rows)
    return {
      imported,
      skipped: suppressions.length - imported,
      invalid,
      dryRun,
      ...(errors.length ? { errors } : {}),
    }
  },
})

export const exportSuppressions = endpoint({
  route: "GET /v1/projects/{projectId}/suppressions/export",
  operationId: "exportSuppressions",
  tag: "Suppressions",
  summary: "Export suppressions as CSV",
  description:
    "The whole list as CSV (RFC 4180, UTF-8), newest first, streamed, so it can have any length. A cell that a spreadsheet would run as a formula begins with an apostrophe. Times are ISO 8601 in UTC.",
  access: allow("suppressions:read"),
  bucket: buckets.suppressions,
  strictQuery: true,
  answers: [200, undefined, "text/csv"],
  problems: [projectMissing],

  async run(scope) {
    return csvDownload({
      filename: `suppressions-${encodeId("proj", scope.project.id)}.csv`,
      columns: ["email", "reason", "created_at"],
      groups: exported(scope, eachSuppression(scope)),
      cellsOf: ({ email, reason, createdAt }) => [email, reason, createdAt.toISOString()],
    })
  },
})

export const suppressionOperations = [
  listSuppressions,
  addSuppression,
  exportSuppressions,
  removeSuppression,
  importSuppressions,
] as const

// What an import does

type Row = { email: string; reason: SuppressionReason }

export type ImportPlan = {
  /** Each address once, in canonical form, with the reason that says most. */
  rows: Row[]
  invalid: number
  /** The first 1,000 invalid rows; `row` counts from 0. */
  errors: { row: number; email: string; detail: string }[]
}

const errorsMax = 1_000
const emailShownChars = 254

/** Sorts the rows of an import into what can be added and what is wrong with the others. */
async function planImport(given: readonly Row[]): Promise<ImportPlan> {
  const turn = createTurns()
  const rows = new Map<string, Row>()
  const errors: ImportPlan["errors"] = []
  let invalid = 0
  for (const [row, one] of given.entries()) {
    await turn()
    const parsed = parseAddress(one.email.trim())
    if (!parsed.ok || parsed.name !== undefined) {
      invalid++
      const detail = detailOf(one, parsed)
      if (errors.length < errorsMax) errors.push({ row, email: cutText(one.email, emailShownChars), detail })
      continue
    }
    const known = rows.get(parsed.canonical)
    if (!known || outweighs(one.reason, known.reason))
      rows.set(parsed.canonical, { email: parsed.canonical, reason: one.reason })
  }
  return { rows: [...rows.values()], invalid, errors }
}

function detailOf(row: Row, parsed: ReturnType<typeof parseAddress>): string {
  if (row === noRow)
    return "A row is an object with `email` and at most a `reason`: bounce, complaint, manual or unsubscribe."
  return parsed.ok ? "Must be an address alone, without a name." : parsed.reason
}
