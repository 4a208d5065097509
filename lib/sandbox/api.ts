import { z } from "zod"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import * as mailbox from "@/lib/sandbox/data"
import { readMessage } from "@/lib/sandbox/message"
import { SandboxMessageDetail, sandboxMessageMissing, SandboxMessagePage } from "@/lib/sandbox/schema"

export const listSandboxMessages = endpoint({
  route: "GET /v1/projects/{projectId}/sandbox/messages",
  operationId: "listSandboxMessages",
  tag: "Sandbox",
  summary: "List sandbox messages",
  description: `What the project has sent through the sandbox, as the receiver saw it, newest first. Messages are kept for
7 days, at most 1,000 per project.`,
  access: allow("emails:read"),
  bucket: null,
  query: {
    ...pageQuery(),
    search: z.string().min(1).max(254).optional().describe("Additive: part of recipient, sender or subject."),
  },
  answers: [200, SandboxMessagePage],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query: { search, ...request } }) {
    const { data, total } = await mailbox.listMessages(scope, request, search)
    return page(request, data, total)
  },
})

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
    return { ...rest, ...(await readMessage(raw, scope.organization.id)), raw: raw.toString("utf8") }
  },
})

export const clearSandbox = endpoint({
  route: "DELETE /v1/projects/{projectId}/sandbox/messages",
  operationId: "clearSandbox",
  tag: "Sandbox",
  summary: "Delete all sandbox messages",
  description: "Empties the project's sandbox mailbox, such as before a test run. The emails themselves stay.",
  access: allow("emails:send"),
  bucket: null,
  answers: [204],
  problems: [projectMissing],
  additive: true,

  async run(scope) {
    await mailbox.removeMessages(scope)
  },
})

export const deleteSandboxMessage = endpoint({
  route: "DELETE /v1/projects/{projectId}/sandbox/messages/{messageId}",
  operationId: "deleteSandboxMessage",
  tag: "Sandbox",
  summary: "Delete sandbox message",
  description: "Removes one message from the sandbox mailbox. The email itself stays.",
  access: allow("emails:send"),
  bucket: null,
  path: { messageId: { prefix: "msg", missing: sandboxMessageMissing } },
  answers: [204],
  problems: [sandboxMessageMissing, projectMissing],
  additive: true,

  async run(scope, { path }) {
    if (!(await mailbox.removeMessages(scope, path.messageId))) throw sandboxMessageMissing()
  },
})

export const sandboxOperations = [listSandboxMessages, clearSandbox, getSandboxMessage, deleteSandboxMessage] as const
