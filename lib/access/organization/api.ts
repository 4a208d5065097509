import {
  renameOrganization,
  readMemberPolicy,
  setSecondFactorRequired,
  MemberPolicy,
  MemberPolicyChange,
} from "@/lib/access/organization/data"
import { Organization, OrganizationChange } from "@/lib/access/organization/schema"
import { allowSession } from "@/lib/access/permissions"
import { permissionMissing, projectMissing, sessionRequired, ownSecondFactorMissing } from "@/lib/access/problems"
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

export const getMemberPolicy = endpoint({
  route: "GET /v1/projects/{projectId}/members/policy",
  operationId: "getMemberPolicy",
  tag: "Members",
  summary: "Get the member policy",
  description: "What the project's organization requires of its members. For signed-in users.",
  access: allowSession("projects:read"),
  bucket: null,
  answers: [200, MemberPolicy],
  problems: [projectMissing, sessionRequired],
  additive: true,

  run: readMemberPolicy,
})

export const updateMemberPolicy = endpoint({
  route: "PATCH /v1/projects/{projectId}/members/policy",
  operationId: "updateMemberPolicy",
  tag: "Members",
  summary: "Change the member policy",
  description:
    "For signed-in owners. Requiring a second factor needs one of your own. From within a second on, members without one get `auth.second_factor_required` for the organization's projects until they have set one up; their open streams end within five. API keys are not affected.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  body: MemberPolicyChange,
  answers: [200, MemberPolicy],
  problems: [requestInvalid, permissionMissing, sessionRequired, projectMissing, ownSecondFactorMissing],
  additive: true,
  example: { body: { secondFactorRequired: true } },

  async run(scope, { body }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const changed = await setSecondFactorRequired(scope, scope.principal, body.secondFactorRequired)
    if (changed === "not-yours") throw permissionMissing("Only an owner can change the member policy.")
    if (changed === "none-of-your-own") throw ownSecondFactorMissing()
    return changed
  },
})

export const memberPolicyOperations = [getMemberPolicy, updateMemberPolicy] as const
