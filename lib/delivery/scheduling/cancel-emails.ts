import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { CancelledEmails, EmailsToCancel } from "@/lib/emails/schema"
import { cancelThese } from "@/lib/delivery/scheduling/cancel-store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { decodeId } from "@/lib/platform/ids"

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
    return { cancelled: cancelled.size, data }
  },
})
