import { addAudit } from "@/lib/access/audit/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { cancelOne, cancelScheduled, cancelThese } from "@/lib/delivery/scheduling/data"
import {
  emailMissing,
  notCancellable,
  BulkCancelled,
  Cancelled,
  CancelledEmails,
  EmailsToCancel,
} from "@/lib/emails/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId } from "@/lib/platform/ids"

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
      if (group > 0) continue
      if (cancelled > 0) await auditCancelled(scope, cancelled)
      return { cancelled }
    }
  },
})

export const cancelEmails = endpoint({
  route: "POST /v1/projects/{projectId}/emails/cancel",
  operationId: "cancelEmails",
  tag: "Projects",
  summary: "Cancel some scheduled emails",
  description:
    "Cancels up to 100 emails. Only those with the status `scheduled` are cancelled; the response has a result for each. Their records stay, with the status `cancelled`.",
  access: allow("emails:send"),
  bucket: null,
  strictQuery: true,
  body: EmailsToCancel,
  answers: [200, CancelledEmails],
  problems: [requestInvalid, projectMissing],
  additive: true,
  example: { body: { ids: ["email_01k9q3f7c2e8m9v4x6y8z0a1b3"] } },

  async run(scope, { body }) {
    const given = body.ids.map((id) => ({ id, emailId: decodeId("email", id) }))
    const ids = given.flatMap(({ emailId }) => emailId ?? [])
    const { cancelled, statuses } = await cancelThese(scope, ids)
    const data = given.map(({ id, emailId }) => {
      if (emailId !== null && cancelled.has(emailId)) return { id, result: "cancelled" as const }
      const status = emailId === null ? undefined : statuses.get(emailId)
      return status === undefined
        ? { id, result: "not_found" as const }
        : { id, result: "not_scheduled" as const, status }
    })
    if (cancelled.size > 0) await auditCancelled(scope, cancelled.size)
    return { cancelled: cancelled.size, data }
  },
})

/** Each email says so in its timeline as well. */
function auditCancelled(scope: Scope, emails: number) {
  return addAudit(scope, { action: "emails.cancelled", changes: { emails } })
}
