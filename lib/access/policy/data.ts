import { addAudit } from "@/lib/access/audit/data"
import { lockedRoles } from "@/lib/access/people/data"
import type { MemberPolicy } from "@/lib/access/policy/schema"
import { hasSecondFactor } from "@/lib/access/second-factor/data"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope, SessionPrincipal } from "@/lib/platform/http/scope"

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
