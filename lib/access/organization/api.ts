import { renameOrganization } from "@/lib/access/organization/data"
import { Organization, OrganizationChange } from "@/lib/access/organization/schema"
import { allowSession } from "@/lib/access/permissions"
import { permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const updateOrganization = endpoint({
  route: "PATCH /v1/projects/{projectId}/organization",
  operationId: "updateOrganization",
  tag: "Members",
  summary: "Rename the organization",
  description:
    "For signed-in owners. The name of the project's organization, as its members and the people they invite see it. Its id stays.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  body: OrganizationChange,
  answers: [200, Organization],
  problems: [requestInvalid, permissionMissing, sessionRequired, projectMissing],
  additive: true,
  example: { body: { name: "Acme" } },

  async run(scope, { body }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const renamed = await renameOrganization(scope, scope.principal, body.name)
    if (renamed === "not-yours") throw permissionMissing("Only an owner can rename the organization.")
    return renamed
  },
})
