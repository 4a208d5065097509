import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { emailMissing } from "@/lib/emails/problems"
import { Email } from "@/lib/emails/schema"
import * as emails from "@/lib/emails/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import type { Scope } from "@/lib/platform/http/scope"

const shared = {
  access: allow("emails:read"),
  bucket: null,
  path: { emailId: { prefix: "email", missing: emailMissing } },
  answers: [200, Email],
} as const

export const getEmail = endpoint({
  ...shared,
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
  ...shared,
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
