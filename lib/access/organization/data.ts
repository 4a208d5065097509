import { z } from "zod"
import { addAudit } from "@/lib/access/audit/data"
import type { Organization } from "@/lib/access/organization/schema"
import { lockedRoles } from "@/lib/access/people/data"
import { unscopedTransaction, unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope, SessionPrincipal } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { hasSecondFactor } from "@/lib/access/second-factor/data"

export const MemberPolicy = z
  .strictObject({
    secondFactorRequired: z
      .boolean()
      .describe("Members without a second factor are led to set one up before they see the organization's projects."),
  })
  .meta({ id: "MemberPolicy" })

export type MemberPolicy = z.output<typeof MemberPolicy>

export const MemberPolicyChange = z
  .strictObject({ secondFactorRequired: z.boolean() })
  .meta({ id: "UpdateMemberPolicyRequest" })

/** Renames the organization. The actor's own role is read again behind the lock of the organization. */
export async function renameOrganization(
  scope: Scope,
  actor: SessionPrincipal,
  name: string,
): Promise<Organization | "not-yours"> {
  const { id } = scope.organization
  return unscopedTransaction(async (tx) => {
    const [mine] = await lockedRoles(scope, [actor.userId], tx)
    if (mine !== "owner") return "not-yours"
    const before = await tx.organization.findUniqueOrThrow({ where: { id }, select: { name: true } })
    if (before.name === name) return { id, name }
    await tx.organization.updateMany({ where: { id }, data: { name } })
    const changes = { name: { from: before.name, to: name } }
    const entry = { action: "organization.renamed", target: encodeId("org", id), name, changes } as const
    await addAudit(scope, entry, db(scope, tx))
    return { id, name }
  })
}

const shape = { secondFactorRequired: true } as const

/** What the organization requires of its members. */
export function readMemberPolicy(scope: Scope): Promise<MemberPolicy> {
  return unscoped().organization.findUniqueOrThrow({ where: { id: scope.organization.id }, select: shape })
}

/**
 * Requires a second factor of every member, or no longer. An owner without one cannot: they would lock themself out. The
 * actor's own role is read again behind the lock of the organization.
 */
export async function setSecondFactorRequired(
  scope: Scope,
  actor: SessionPrincipal,
  secondFactorRequired: boolean,
): Promise<MemberPolicy | "not-yours" | "none-of-your-own"> {
  return unscopedTransaction(async (tx) => {
    const [mine] = await lockedRoles(scope, [actor.userId], tx)
    if (mine !== "owner") return "not-yours"
    if (secondFactorRequired && !(await hasSecondFactor(actor.userId, tx))) return "none-of-your-own"
    const where = { id: scope.organization.id, secondFactorRequired: !secondFactorRequired }
    const { count } = await tx.organization.updateMany({ where, data: { secondFactorRequired } })
    const changes = { secondFactorRequired: { from: !secondFactorRequired, to: secondFactorRequired } }
    if (count) await addAudit(scope, { action: "organization.member_policy_changed", changes }, db(scope, tx))
    return { secondFactorRequired }
  })
}
