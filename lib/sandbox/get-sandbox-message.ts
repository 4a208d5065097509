import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { readMessage } from "@/lib/sandbox/message"
import { sandboxMessageMissing } from "@/lib/sandbox/problems"
import { SandboxMessageDetail } from "@/lib/sandbox/schema"
import * as mailbox from "@/lib/sandbox/store"

export const getSandboxMessage = endpoint({
  route: "GET /v1/projects/{projectId}/sandbox/messages/{messageId}",
  operationId: "getSandboxMessage",
  tag: "Sandbox",
  summary: "Get sandbox message",
  description: `One message with its parts, headers and verdicts. The HTML is as sent, except that inline images are embedded: show it
only in a sandboxed frame.`,
  access: allow("emails:read"),
  bucket: null,
  path: { messageId: { prefix: "msg", missing: sandboxMessageMissing } },
  answers: [200, SandboxMessageDetail],
  problems: [sandboxMessageMissing, projectMissing],
  additive: true,

  async run(scope, { path }) {
    const message = await mailbox.findMessage(scope, path.messageId)
    if (!message) throw sandboxMessageMissing()
    const { raw, ...rest } = message
    return { ...rest, ...(await readMessage(raw, scope.project.id)), raw: raw.toString("utf8") }
  },
})
