import type { NewAuditEntry } from "@/lib/access/audit/data"
import type { AuditAction } from "@/lib/access/audit/rules"
import * as members from "@/lib/access/people/data"
import { auditPerson } from "@/lib/access/people/data"
import { tellOfAccount } from "@/lib/access/system-mail/data"
import type { AccountChange } from "@/lib/access/system-mail/system-mail"
import type { RequestInfo, SessionPrincipal } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { Member, MemberChange, MemberList } from "@/lib/access/people/schema"
import { allowSession } from "@/lib/access/permissions"
import { lastOwner, memberMissing, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

/** What a person is told of by email, whoever did it in their session. */
const told: Partial<Record<AuditAction, AccountChange>> = {
  "user.password_changed": "password-changed",
  "user.totp_enabled": "totp-enabled",
  "user.totp_disabled": "totp-disabled",
  "user.recovery_codes_created": "recovery-codes-created",
  "user.passkey_added": "passkey-added",
  "user.passkey_removed": "passkey-removed",
}

/**
 * Records a change of the signed-in user's own account, in the log of each of their organizations, and tells them by email if it
 * changes how they sign in.
 */
export async function recordAccountChange(
  { userId, email }: SessionPrincipal,
  { ip, id }: RequestInfo,
  entry: Pick<NewAuditEntry, "action" | "changes">,
): Promise<void> {
  const by = { userId, ip, requestId: encodeId("req", id) }
  await auditPerson(by, { ...entry, target: encodeId("usr", userId), name: email })
  const change = told[entry.action]
  if (change) await tellOfAccount({ to: email, change, ip })
}

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
    return { data: await members.readMembersOfOrganization(scope) }
  },
})

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
    const changed = await members.changeRole(scope, scope.principal, path.userId, body.role)
    if (changed === "missing") throw memberMissing()
    if (changed === "not-yours") throw permissionMissing("Only an owner can make or remove an owner.")
    if (changed === "last-owner") throw lastOwner()
    return changed
  },
})

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
    const fault = await members.removeFromOrganization(scope, scope.principal, path.userId)
    if (fault === "missing") throw memberMissing()
    if (fault === "not-yours")
      throw permissionMissing("Only owners and admins can remove members, and only an owner can remove an owner.")
    if (fault === "last-owner") throw lastOwner()
  },
})

export const memberOperations = [listMembers, updateMember, removeMember] as const
