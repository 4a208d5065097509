import { revokeInvite as take } from "@/lib/access/invites/invite-store"
import { allowSession } from "@/lib/access/permissions"
import { inviteMissing, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"

export const revokeInvite = endpoint({
  route: "DELETE /v1/projects/{projectId}/invites/{inviteId}",
  operationId: "revokeInvite",
  tag: "Members",
  summary: "Take an invite back",
  description: "For signed-in owners and admins. The link is worth nothing from then on.",
  access: allowSession("projects:write", "owner", "admin"),
  bucket: null,
  path: { inviteId: { prefix: "inv", missing: inviteMissing } },
  answers: [204],
  problems: [permissionMissing, sessionRequired, projectMissing, inviteMissing],
  additive: true,

  async run(scope, { path }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const fault = await take(scope, scope.principal, path.inviteId)
    if (fault === "missing") throw inviteMissing()
    if (fault === "not-yours") throw permissionMissing("The invite of an owner is taken back by an owner.")
  },
})
