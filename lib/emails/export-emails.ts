import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { csvLine } from "@/lib/platform/csv"
import { emailFilterQuery, filterOf } from "@/lib/emails/email-filter"
import type { Email } from "@/lib/emails/schema"
import { eachEmail } from "@/lib/emails/store"
import { endpoint, Reply } from "@/lib/platform/endpoint"
import { encodeId } from "@/lib/platform/ids"

export const exportEmails = endpoint({
  route: "GET /v1/projects/{projectId}/emails/export",
  operationId: "exportEmails",
  tag: "Projects",
  summary: "Export emails",
  description:
    "The email log as CSV (RFC 4180, UTF-8), newest send first, chosen by the same filters as the list, without bodies. It is streamed as it is read, so it may be of any length. A cell that a spreadsheet would run as a formula begins with an apostrophe. Times are ISO 8601 in UTC.",
  access: allow("emails:read"),
  bucket: null,
  query: emailFilterQuery(),
  answers: [200, undefined, "text/csv"],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query }) {
    const groups = eachEmail(scope, filterOf(query))
    // The first group is read before the answer begins: what fails then is still a problem document.
    const first = await groups.next()
    return new Reply(200, {
      stream: csvOf(first.done ? [] : first.value, groups),
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="emails-${encodeId("proj", scope.project.id)}.csv"`,
        "X-Content-Type-Options": "nosniff",
      },
    })
  },
})

const columns = ["id", "status", "from", "to", "cc", "bcc", "subject", "message_id", "test_mode", "error", "scheduled_at", "sent_at", "created_at"]

/** A group is read when the reader has taken the one before; a reader that goes away ends the reading. */
function csvOf(first: Email[], groups: AsyncGenerator<Email[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const linesOf = (emails: Email[]) => encoder.encode(emails.map(lineOf).join(""))
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`${columns.join(",")}\r\n`))
        if (first.length) controller.enqueue(linesOf(first))
      },
      async pull(controller) {
        const next = await groups.next()
        if (next.done) controller.close()
        else controller.enqueue(linesOf(next.value))
      },
      async cancel() {
        await groups.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
}

function lineOf(email: Email): string {
  const { id, status, from, to, cc = [], bcc = [], subject, messageId = "", testMode, error = "" } = email
  return csvLine([
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
  ])
}
