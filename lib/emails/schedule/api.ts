import { allow } from "@/lib/access/permissions"
import { findEmail } from "@/lib/emails/data"
import { emailMissing, notReschedulable } from "@/lib/emails/problems"
import { moveEmail } from "@/lib/emails/schedule/data"
import { scheduleOf } from "@/lib/emails/schedule/rules"
import { Email, Reschedule } from "@/lib/emails/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { fieldsInvalid, requestInvalid } from "@/lib/platform/http/problems"

export const rescheduleEmail = endpoint({
  route: "PATCH /v1/emails/{emailId}",
  operationId: "rescheduleEmail",
  tag: "Emails",
  summary: "Reschedule an email",
  description:
    "Moves an email with the status `scheduled` to another time, 30 seconds to 30 days ahead. Its timeline gets a `rescheduled` event with both times. A replay of the send still returns the original response.",
  access: allow("emails:send"),
  bucket: null,
  path: { emailId: { prefix: "email", missing: emailMissing } },
  body: Reschedule,
  answers: [200, Email],
  problems: [requestInvalid, emailMissing, notReschedulable],
  additive: true,
  example: { body: { scheduledAt: "2026-12-24T18:00:00Z" } },

  async run(scope, { path, body }, { clock }) {
    const faults: FieldProblem[] = []
    const at = scheduleOf(body, clock.now(), faults)
    if (!at || faults.length) {
      throw fieldsInvalid(faults)
    }
    const moved = await moveEmail(scope, path.emailId, at)
    if (moved === false) throw notReschedulable()
    const email = moved && (await findEmail(scope, path.emailId))
    if (!email) throw emailMissing()
    return email
  },
})
