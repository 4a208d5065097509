import { allow } from "@/lib/access/permissions"
import { emailMissing, notCancellable } from "@/lib/emails/problems"
import { BulkCancelled, Cancelled } from "@/lib/emails/schema"
import { cancelOne, cancelScheduled } from "@/lib/delivery/scheduling/cancel-store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const cancelEmail = endpoint({
  route: "DELETE /v1/emails/{emailId}",
  operationId: "cancelEmail",
  tag: "Emails",
  summary: "Cancel a scheduled email",
  description:
    "Only an email with the status `scheduled` can be cancelled. Its record stays, with the status `cancelled`.",
  access: allow("emails:send"),
  bucket: null,
  path: { emailId: { prefix: "email", missing: emailMissing } },
  answers: [200, Cancelled],
  problems: [emailMissing, notCancellable],

  async run(scope, { path }) {
    const cancelled = await cancelOne(scope, path.emailId)
    if (cancelled === null) throw emailMissing()
    if (!cancelled) throw notCancellable()
    return { cancelled }
  },
})

export const bulkCancelEmails = endpoint({
  route: "DELETE /v1/emails",
  operationId: "bulkCancelEmails",
  tag: "Emails",
  summary: "Cancel all scheduled emails",
  description:
    "Cancels every email of the project with the status `scheduled`, in groups of 1,000. It accepts no ids: a query parameter other than `projectId`, or a body other than `{}`, is 400.",
  access: allow("emails:send"),
  bucket: null,
  actsOnAll: true,
  answers: [200, BulkCancelled],
  problems: [],

  async run(scope) {
    let cancelled = 0
    for (;;) {
      const group = await cancelScheduled(scope)
      cancelled += group
      if (group === 0) return { cancelled }
    }
  },
})
