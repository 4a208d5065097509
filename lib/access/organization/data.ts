import { addAudit } from "@/lib/access/audit/data"
import type { Organization } from "@/lib/access/organization/schema"
import { lockedRoles } from "@/lib/access/people/data"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope, SessionPrincipal } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

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
