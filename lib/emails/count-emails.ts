import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { countsOf } from "@/lib/emails/count-sql"
import { emailFilterQuery, filterOf } from "@/lib/emails/email-filter"
import { EmailCounts } from "@/lib/emails/schema"
import { endpoint } from "@/lib/platform/http/endpoint"

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

  run: (scope, { query }) => countsOf(scope, filterOf(query)),
})
