import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { SandboxMessagePage } from "@/lib/sandbox/schema"
import * as mailbox from "@/lib/sandbox/store"

export const listSandboxMessages = endpoint({
  route: "GET /v1/projects/{projectId}/sandbox/messages",
  operationId: "listSandboxMessages",
  tag: "Sandbox",
  summary: "List sandbox messages",
  description: `What the project has sent through the sandbox, as the receiver saw it, newest first. Messages are kept for
7 days, at most 1,000 per project.`,
  access: allow("emails:read"),
  bucket: null,
  query: pageQuery(),
  answers: [200, SandboxMessagePage],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query }) {
    const { data, total } = await mailbox.listMessages(scope, query)
    return page(query, data, total)
  },
})
