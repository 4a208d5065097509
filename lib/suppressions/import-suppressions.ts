import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { planImport } from "@/lib/suppressions/import-rules"
import { addSuppressions, countNew } from "@/lib/suppressions/store"
import { SuppressionImport, SuppressionImported } from "@/lib/suppressions/schema"

const importBytesMax = 16 * 2 ** 20
/** Enough for 100,000 rows with a reason. */
const importPartsMax = 510_000

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
