import { exported } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import * as emails from "@/lib/emails/log/data"
import { countByStatus, eachEmail, readsLittle } from "@/lib/emails/log/data"
import { emailFilterQuery, filterOf } from "@/lib/emails/log/filter"
import { type Email, EmailCounts, EmailPage } from "@/lib/emails/schema"
import { csvDownload } from "@/lib/platform/download"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { createShare } from "@/lib/platform/jobs/turns"
import { encodeId } from "@/lib/platform/ids"

/** A filter, a count or a page far from the newest email may read much, and there is no bucket here. */
const longReads = createShare({
  waitMs: 10_000,
  busy: "Too many searches and counts of this project's emails are running. Try again when one has ended.",
})

export const listEmails = endpoint({
  route: "GET /v1/projects/{projectId}/emails",
  operationId: "listEmails",
  tag: "Projects",
  summary: "List emails",
  description:
    "The email log, newest send first, without bodies. The filters are additive; with a filter, `total` stops at 10,000. With `search`, the list contains at most the newest 1,000 matches, and `total` is a quick count: `totalIsMinimum` means that there are more. A search that does not fill the page within two seconds returns what it has found and `searchedTo`; continue it with `before` set to that time.",
  access: allow("emails:read"),
  bucket: null,
  query: {
    ...pageQuery(),
    ...emailFilterQuery(),
  },
  answers: [200, EmailPage],
  problems: [projectMissing],
  example: { query: { status: "bounced", size: "50" } },

  async run(scope, { query }) {
    const filter = filterOf(query)
    const list = () => emails.readEmails(scope, filter, query)
    const { data, total, ...about } = await (readsLittle(filter, query) ? list() : longReads(scope.project.id, list))
    return { ...page(query, data, total), ...about }
  },
})

// What an index answers. The others read the whole log.
const { search, recipient, domainId, topicId, broadcastId, tag, after, before } = emailFilterQuery()

export const countEmails = endpoint({
  route: "GET /v1/projects/{projectId}/emails/counts",
  operationId: "countEmails",
  tag: "Projects",
  summary: "Count emails by status",
  description:
    "How many of the emails that match the filters have each status; statuses without emails are omitted. At most the newest 25,000 emails are counted, with `search` the newest 1,000 matches. If there are more, `complete` is false and each count is a minimum.",
  access: allow("emails:read"),
  bucket: null,
  query: { search, recipient, domainId, topicId, broadcastId, tag, after, before },
  answers: [200, EmailCounts],
  problems: [projectMissing],
  additive: true,
  example: { query: { search: "invoice" } },

  run: (scope, { query }) => longReads(scope.project.id, () => countByStatus(scope, filterOf(query))),
})

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
