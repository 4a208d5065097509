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
    "The email log, newest send first, without bodies. The filters are additive; with a filter `total` stops at 10,000. With `search` a list holds the newest 1,000 matches at most, and `total` is what was counted in a moment: `totalIsMinimum` says that there are more. A search that finds too little within two seconds answers with what it has and `searchedTo`: `before` that time, it can be continued.",
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
    const { data, total, ...about } = await emails.listEmails(scope, filterOf(query), query)
    return { ...page(query, data, total), ...about }
  },
})
