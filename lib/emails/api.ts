import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import * as emails from "@/lib/emails/data"
import { findDeliveries } from "@/lib/emails/data"
import {
  emailMissing,
  rawMissing,
  DeliveryList,
  Email,
  Timeline,
  notReschedulable,
  Reschedule,
} from "@/lib/emails/schema"
import { env } from "@/lib/platform/env/env"
import { countText } from "@/lib/platform/format"
import { endpoint } from "@/lib/platform/http/endpoint"
import { messageReply } from "@/lib/platform/download"
import type { Scope } from "@/lib/platform/http/scope"
import { moveEmail } from "@/lib/emails/schedule/data"
import { scheduleOf } from "@/lib/emails/schedule/rules"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { fieldsInvalid, requestInvalid } from "@/lib/platform/http/problems"

const wholeEmail = {
  access: allow("emails:read"),
  bucket: null,
  path: { emailId: { prefix: "email", missing: emailMissing } },
  answers: [200, Email],
} as const

export const getEmail = endpoint({
  ...wholeEmail,
  route: "GET /v1/emails/{emailId}",
  operationId: "getEmail",
  tag: "Emails",
  summary: "Get email",
  description:
    "One email with its bodies and status. Signed-in users pass the project as the query parameter `projectId`.",
  problems: [emailMissing],
  run: (scope, { path }) => readEmail(scope, path.emailId),
})

export const getProjectEmail = endpoint({
  ...wholeEmail,
  route: "GET /v1/projects/{projectId}/emails/{emailId}",
  operationId: "getProjectEmail",
  tag: "Projects",
  summary: "Get email of a project",
  description:
    "One email with its bodies and status. The same as `GET /v1/emails/{emailId}`, with the project in the path.",
  problems: [emailMissing, projectMissing],
  run: (scope, { path }) => readEmail(scope, path.emailId),
})

async function readEmail(scope: Scope, emailId: string): Promise<Email> {
  const email = await emails.findEmail(scope, emailId)
  if (!email) throw emailMissing()
  return email
}

const partOfEmail = {
  tag: "Projects",
  access: allow("emails:read"),
  bucket: null,
  path: { emailId: { prefix: "email", missing: emailMissing } },
} as const

export const getEmailTimeline = endpoint({
  ...partOfEmail,
  route: "GET /v1/projects/{projectId}/emails/{emailId}/events",
  operationId: "getEmailTimeline",
  summary: "Get the timeline of an email",
  description: "The events of the email, oldest first, at most 1,000.",
  answers: [200, Timeline],
  problems: [emailMissing, projectMissing],

  async run(scope, { path }) {
    const items = await emails.findTimeline(scope, path.emailId)
    if (!items) throw emailMissing()
    return { items }
  },
})

export const listEmailDeliveries = endpoint({
  ...partOfEmail,
  route: "GET /v1/projects/{projectId}/emails/{emailId}/deliveries",
  operationId: "listEmailDeliveries",
  summary: "List the deliveries of an email",
  description: "One delivery per recipient, with its attempts and the SMTP responses.",
  answers: [200, DeliveryList],
  problems: [emailMissing, projectMissing],
  additive: true,

  async run(scope, { path }) {
    const data = await findDeliveries(scope, path.emailId)
    if (!data) throw emailMissing()
    return { data }
  },
})

export const getEmailRaw = endpoint({
  ...partOfEmail,
  route: "GET /v1/projects/{projectId}/emails/{emailId}/raw",
  operationId: "getEmailRaw",
  summary: "Get the raw message",
  description:
    "The signed message (RFC 5322), byte for byte as every attempt sends it, as long as the body of the email is kept.",
  answers: [200, undefined, "message/rfc822"],
  problems: [emailMissing, rawMissing, projectMissing],
  additive: true,

  async run(scope, { path }) {
    const raw = await emails.findRaw(scope, path.emailId)
    if (raw === null) throw emailMissing()
    if (raw === "not_composed") throw rawMissing()
    if (raw === "removed")
      throw rawMissing(
        `The message is no longer stored: bodies are kept for ${countText(env().keepDays.bodies, "day")}.`,
      )
    return messageReply(raw)
  },
})

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
    if (!moved) throw emailMissing()
    return moved
  },
})
