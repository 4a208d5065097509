import { buckets } from "@/lib/access/limits/bucket-table"
import { exported } from "@/lib/access/limits/places-store"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { csvDownload } from "@/lib/platform/download"
import { endpoint } from "@/lib/platform/http/endpoint"
import { encodeId } from "@/lib/platform/ids"
import { eachSuppression } from "@/lib/suppressions/export-store"

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
