import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { emailFilterQuery, filterOf } from "@/lib/emails/email-filter"
import * as emails from "@/lib/emails/log-sql"
import { EmailPage } from "@/lib/emails/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { createShare } from "@/lib/platform/http/share"
import { page, pageQuery } from "@/lib/platform/http/paging"

/** A search may read much, and there is no bucket here. */
const searches = createShare({
  waitMs: 10_000,
  busy: "Too many searches of this project are running. Try again when one has ended.",
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
    const list = () => emails.listEmails(scope, filterOf(query), query)
    const { data, total, ...about } = await (query.search ? searches(scope.project.id, list) : list())
    return { ...page(query, data, total), ...about }
  },
})
