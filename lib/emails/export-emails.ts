import { exported } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { emailFilterQuery, filterOf } from "@/lib/emails/email-filter"
import { eachEmail } from "@/lib/emails/log-sql"
import type { Email } from "@/lib/emails/schema"
import { csvDownload } from "@/lib/platform/download"
import { endpoint } from "@/lib/platform/http/endpoint"
import { encodeId } from "@/lib/platform/ids"

export const exportEmails = endpoint({
  route: "GET /v1/projects/{projectId}/emails/export",
  operationId: "exportEmails",
  tag: "Projects",
  summary: "Export emails",
  description:
    "The email log as CSV (RFC 4180, UTF-8), newest send first, with the same filters as the list, without bodies. It is streamed, so it can have any length. A cell that a spreadsheet would run as a formula begins with an apostrophe. Times are ISO 8601 in UTC.",
  access: allow("emails:read"),
  bucket: null,
  strictQuery: true,
  query: emailFilterQuery(),
  answers: [200, undefined, "text/csv"],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query }) {
    return csvDownload({
      filename: `emails-${encodeId("proj", scope.project.id)}.csv`,
      columns,
      groups: exported(scope, eachEmail(scope, filterOf(query))),
      cellsOf,
    })
  },
})

const columns = [
  "id",
  "status",
  "from",
  "to",
  "cc",
  "bcc",
  "subject",
  "message_id",
  "test_mode",
  "error",
  "scheduled_at",
  "sent_at",
  "created_at",
]

function cellsOf(email: Email): string[] {
  const { id, status, from, to, cc = [], bcc = [], subject, messageId = "", testMode, error = "" } = email
  return [
    encodeId("email", id),
    status,
    from,
    to.join("; "),
    cc.join("; "),
    bcc.join("; "),
    subject,
    messageId,
    String(testMode),
    error,
    email.scheduledAt?.toISOString() ?? "",
    email.sentAt?.toISOString() ?? "",
    email.createdAt.toISOString(),
  ]
}
