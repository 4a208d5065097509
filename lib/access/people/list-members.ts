import { listMembers as read } from "@/lib/access/people/member-store"
import { MemberList } from "@/lib/access/people/members-schema"
import { allowSession } from "@/lib/access/permissions"
import { projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"

export const listMembers = endpoint({
  route: "GET /v1/projects/{projectId}/members",
  operationId: "listMembers",
  tag: "Members",
  summary: "List members",
  description:
    "For signed-in users. The members of the project's organization, as a `data` list like that of API keys.",
  access: allowSession("projects:read"),
  bucket: null,
  answers: [200, MemberList],
  problems: [projectMissing, sessionRequired],
  additive: true,

  async run(scope) {
    return { data: await read(scope) }
  },
})
