import { revokeInvite as revoke } from "@/lib/access/invites/invite-store"
import { allowSession } from "@/lib/access/permissions"
import { inviteMissing, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"

export const revokeInvite = endpoint({
  route: "DELETE /v1/projects/{projectId}/invites/{inviteId}",
  operationId: "revokeInvite",
  tag: "Members",
  summary: "Revoke invite",
  description: "For signed-in owners and admins. The link no longer works.",
  access: allowSession("projects:write", "owner", "admin"),
  bucket: null,
  path: { inviteId: { prefix: "inv", missing: inviteMissing } },
  answers: [204],
  problems: [permissionMissing, sessionRequired, projectMissing, inviteMissing],
  additive: true,

  async run(scope, { path }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const fault = await revoke(scope, scope.principal, path.inviteId)
    if (fault === "missing") throw inviteMissing()
    if (fault === "not-yours") throw permissionMissing("Only an owner can revoke the invite of an owner.")
  },
})
