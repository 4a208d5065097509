import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { emailFilterQuery, filterOf } from "@/lib/emails/email-filter"
import * as emails from "@/lib/emails/log-sql"
import { EmailPage } from "@/lib/emails/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"

export const listEmails = endpoint({
  route: "GET /v1/projects/{projectId}/emails",
  operationId: "listEmails",
  tag: "Projects",
  summary: "List emails",
  description:
    "The email log, newest send first, without bodies. The filters are additive; with a filter `total` stops at 10,000.",
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
    const { data, total } = await emails.listEmails(scope, filterOf(query), query)
    return page(query, data, total)
  },
})
