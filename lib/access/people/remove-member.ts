import { removeMember as remove } from "@/lib/access/people/member-store"
import { allowSession } from "@/lib/access/permissions"
import { lastOwner, memberMissing, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"

export const removeMember = endpoint({
  route: "DELETE /v1/projects/{projectId}/members/{userId}",
  operationId: "removeMember",
  tag: "Members",
  summary: "Remove a member, or leave",
  description:
    "For signed-in users. Everyone can leave, owners and admins can remove others, and only owners can remove an owner. Access ends within a second, streams within five; a user left without an organization is signed out everywhere. Their API keys continue to work.",
  access: allowSession("projects:read"),
  bucket: null,
  path: { userId: { prefix: "usr", missing: memberMissing } },
  answers: [204],
  problems: [permissionMissing, sessionRequired, projectMissing, memberMissing, lastOwner],
  additive: true,

  async run(scope, { path }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const fault = await remove(scope, scope.principal, path.userId)
    if (fault === "missing") throw memberMissing()
    if (fault === "not-yours")
      throw permissionMissing("Only owners and admins can remove members, and only an owner can remove an owner.")
    if (fault === "last-owner") throw lastOwner()
  },
})
