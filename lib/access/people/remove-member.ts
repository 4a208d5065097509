import { removeMember as take } from "@/lib/access/people/member-store"
import { allowSession } from "@/lib/access/permissions"
import { lastOwner, memberMissing, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"

export const removeMember = endpoint({
  route: "DELETE /v1/projects/{projectId}/members/{userId}",
  operationId: "removeMember",
  tag: "Members",
  summary: "Remove a member, or leave",
  description:
    "For signed-in people: anybody can leave, owners and admins can remove others, owners alone an owner. Access ends within a second, streams within five; who belongs to no other organization is signed out everywhere. Keys that they made stay.",
  access: allowSession("projects:read"),
  bucket: null,
  path: { userId: { prefix: "usr", missing: memberMissing } },
  answers: [204],
  problems: [permissionMissing, sessionRequired, projectMissing, memberMissing, lastOwner],
  additive: true,

  async run(scope, { path }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const fault = await take(scope, scope.principal, path.userId)
    if (fault === "missing") throw memberMissing()
    if (fault === "not-yours")
      throw permissionMissing("Owners and admins remove members; an owner is removed by an owner.")
    if (fault === "last-owner") throw lastOwner()
  },
})
