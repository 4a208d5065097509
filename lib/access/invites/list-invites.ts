import { listInvites as read } from "@/lib/access/invites/invite-store"
import { InviteList } from "@/lib/access/people/members-schema"
import { allowSession } from "@/lib/access/permissions"
import { projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"

export const listInvites = endpoint({
  route: "GET /v1/projects/{projectId}/invites",
  operationId: "listInvites",
  tag: "Members",
  summary: "List pending invites",
  description:
    "For signed-in owners and admins. Invites that are neither accepted nor revoked, newest first, as a `data` list.",
  access: allowSession("projects:write", "owner", "admin"),
  bucket: null,
  answers: [200, InviteList],
  problems: [projectMissing, sessionRequired],
  additive: true,

  async run(scope) {
    return { data: await read(scope) }
  },
})
