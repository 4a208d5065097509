import { z } from "zod"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { parseAddress } from "@/lib/domains/address"
import { emailStatuses } from "@/lib/emails/message-rules"
import { EmailPage } from "@/lib/emails/schema"
import * as emails from "@/lib/emails/store"
import { endpoint } from "@/lib/platform/endpoint"
import { page, pageQuery } from "@/lib/platform/paging"
import { timestamp } from "@/lib/platform/schema"

const text = () => z.string().min(1).max(320).optional()

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
    status: z.enum(emailStatuses).optional(),
    recipient: text().describe("Exact address among to, cc and bcc."),
    from: text().describe("Part of the sender."),
    subject: text().describe("Part of the subject."),
    after: timestamp.optional().describe("Sent at or after."),
    before: timestamp.optional().describe("Sent before."),
  },
  answers: [200, EmailPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { page: _page, size: _size, recipient, ...filter } = query
    const address = recipient === undefined ? undefined : parseAddress(recipient)
    const canonical = address && (address.ok ? address.canonical : "")
    const { data, total } = await emails.listEmails(scope, { ...filter, recipient: canonical }, query)
    return page(query, data, total)
  },
})
