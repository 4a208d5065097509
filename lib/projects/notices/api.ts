import { buckets } from "@/lib/access/limits/data"
import { allowSession } from "@/lib/access/permissions"
import { projectMissing, sessionRequired } from "@/lib/access/problems"
import { env } from "@/lib/platform/env/env"
import { endpoint } from "@/lib/platform/http/endpoint"
import { problem } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { checkedUrl } from "@/lib/platform/outbound/target"
import { findTarget, recordPost, removeTarget, saveTarget, targetUrl } from "@/lib/projects/notices/data"
import { postToChat } from "@/lib/projects/notices/post"
import { NewNoticeTarget, NoticeTargetState, NoticeTargetTest } from "@/lib/projects/notices/schema"

const noticeTargetMissing = problem(
  "notice_target.not_found",
  404,
  "No chat for notices",
  "The project has no chat to which notices are posted. Set one first.",
)

const shared = { tag: "Projects", bucket: buckets.projects, additive: true } as const
const mayChange = allowSession("projects:write", "owner", "admin")

export const getNoticeTarget = endpoint({
  ...shared,
  route: "GET /v1/projects/{projectId}/notice-target",
  operationId: "getNoticeTarget",
  summary: "Get chat for notices",
  description: "For signed-in users: the chat to which notices of the project are posted, and how the last posts went.",
  access: allowSession("projects:read"),
  answers: [200, NoticeTargetState],
  problems: [projectMissing, sessionRequired],

  run: (scope) => stateOf(scope),
})

export const setNoticeTarget = endpoint({
  ...shared,
  route: "PUT /v1/projects/{projectId}/notice-target",
  operationId: "setNoticeTarget",
  summary: "Set chat for notices",
  description:
    "For signed-in owners and admins. What the owners are told of by mail is posted there too, as `text` and `blocks`, up to six times in some three hours until the target answers with a status from 200 to 299.",
  access: mayChange,
  body: NewNoticeTarget,
  answers: [200, NoticeTargetState],
  problems: [requestInvalid, projectMissing, sessionRequired],
  example: { body: { url: "https://hooks.slack.com/services/T000/B000/secret" } },

  async run(scope, { body }, io) {
    await saveTarget(scope, await checkedUrl(body.url, io.dns))
    return stateOf(scope)
  },
})

export const deleteNoticeTarget = endpoint({
  ...shared,
  route: "DELETE /v1/projects/{projectId}/notice-target",
  operationId: "deleteNoticeTarget",
  summary: "Remove chat for notices",
  description: "For signed-in owners and admins. Nothing is posted there any more.",
  access: mayChange,
  answers: [204],
  problems: [projectMissing, sessionRequired, noticeTargetMissing],

  async run(scope) {
    if (!(await removeTarget(scope))) throw noticeTargetMissing()
  },
})

export const testNoticeTarget = endpoint({
  ...shared,
  route: "POST /v1/projects/{projectId}/notice-target/tests",
  operationId: "testNoticeTarget",
  summary: "Send a test notice to the chat",
  description:
    "For signed-in owners and admins. Posts one message now, once, and answers how that went within 15 seconds.",
  access: mayChange,
  answers: [200, NoticeTargetTest],
  problems: [projectMissing, sessionRequired, noticeTargetMissing],

  async run(scope) {
    const url = await targetUrl(scope)
    if (!url) throw noticeTargetMissing()
    const { failure, statusCode } = await postToChat(url.href, testMessage(scope), { signal: scope.request.signal })
    await recordPost(scope, url, { ...(failure && { failure }), ...(statusCode && { statusCode }) })
    return { delivered: !failure, failure, statusCode }
  },
})

export const noticeTargetOperations = [getNoticeTarget, setNoticeTarget, deleteNoticeTarget, testNoticeTarget] as const

async function stateOf(scope: Scope) {
  return { target: (await findTarget(scope)) ?? undefined }
}

function testMessage({ project }: Scope) {
  const { baseUrl } = env()
  return {
    title: "A test",
    lead: `Notices of the project ${project.name} at ${new URL(baseUrl).host} are posted here.`,
    action: "Open the settings",
    url: `${baseUrl}/projects/${encodeId("proj", project.id)}/settings`,
  }
}
