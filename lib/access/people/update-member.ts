import { changeRole } from "@/lib/access/people/member-store"
import { Member, MemberChange } from "@/lib/access/people/members-schema"
import { allowSession } from "@/lib/access/permissions"
import { lastOwner, memberMissing, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const updateMember = endpoint({
  route: "PATCH /v1/projects/{projectId}/members/{userId}",
  operationId: "updateMember",
  tag: "Members",
  summary: "Change a member's role",
  description:
    "For signed-in owners and admins; only an owner can make or remove an owner. Takes effect within a second. The last owner cannot be changed.",
  access: allowSession("projects:write", "owner", "admin"),
  bucket: null,
  path: { userId: { prefix: "usr", missing: memberMissing } },
  body: MemberChange,
  answers: [200, Member],
  problems: [requestInvalid, permissionMissing, sessionRequired, projectMissing, memberMissing, lastOwner],
  additive: true,

  async run(scope, { path, body }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const changed = await changeRole(scope, scope.principal, path.userId, body.role)
    if (changed === "missing") throw memberMissing()
    if (changed === "not-yours") throw permissionMissing("Only an owner can make or remove an owner.")
    if (changed === "last-owner") throw lastOwner()
    return changed
  },
})
