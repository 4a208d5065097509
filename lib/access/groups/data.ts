import { addOrganizationAudit, addPersonAudit } from "@/lib/access/audit/data"
import { revokeSessions } from "@/lib/access/credentials/data"
import type { Grants } from "@/lib/access/credentials/identity-providers"
import { insertUser } from "@/lib/access/people/data"
import type { Role } from "@/lib/access/permissions"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { encodeId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

/** Makes a user of an address that the provider has verified; null when it has one meanwhile. */
export function addGrantedUser(email: string): Promise<string | null> {
  return unscopedTransaction((tx) => insertUser({ email, proven: true }, tx))
}

type GrantedUser = { id: string; email: string; ip: string }

const membershipsMax = 1_000

/**
 * Gives a user the memberships that their groups grant, changes the role of those that came from groups, and takes those that no
 * group grants any more. A membership by invite, or whose role somebody has set, stays as it is; and so does the last owner.
 */
export async function applyGrants(user: GrantedUser, grants: Grants): Promise<void> {
  const fromGroups = await unscoped().member.findMany({
    where: { userId: user.id, fromGroup: true },
    select: { organizationId: true },
    take: membershipsMax,
  })
  const organizationIds = new Set([...grants.keys(), ...fromGroups.map(({ organizationId }) => organizationId)])
  for (const organizationId of organizationIds)
    await unscopedTransaction((tx) => applyGrant(user, { organizationId, role: grants.get(organizationId) }, tx))
}

type Grant = { organizationId: string; role: Role | undefined }

async function applyGrant(user: GrantedUser, { organizationId, role }: Grant, tx: Tx): Promise<void> {
  const organization = encodeId("org", organizationId)
  if (!(await lockRow("organizations", organizationId, tx)))
    return log.warn({ organization }, "OIDC_ROLES names an organization that does not exist")
  const where = { organizationId_userId: { organizationId, userId: user.id } }
  const member = await tx.member.findUnique({ where, select: { role: true, fromGroup: true } })
  const about = { target: encodeId("usr", user.id), name: user.email }
  if (!member) {
    if (!role) return
    await tx.member.create({ data: { organizationId, userId: user.id, role, fromGroup: true } })
    const entry = { action: "member.joined", ...about, changes: { role, by: "oidc" } } as const
    return addPersonAudit({ organizationId, userId: user.id, ip: user.ip }, entry, tx)
  }
  if (!member.fromGroup || member.role === role) return
  if (member.role === "owner" && (await tx.member.count({ where: { organizationId, role: "owner" } })) === 1)
    return log.warn(
      { organization, user: about.target },
      "groups no longer give the last owner their role, who keeps it",
    )
  if (role) {
    await tx.member.update({ where, data: { role } })
    const changes = { role: { from: member.role, to: role }, by: "oidc" }
    return addOrganizationAudit(organizationId, { action: "member.role_changed", ...about, changes }, tx)
  }
  await tx.member.delete({ where })
  if (!(await tx.member.count({ where: { userId: user.id } }))) await revokeSessions({ userId: user.id }, tx)
  const changes = { role: member.role, by: "oidc" }
  return addOrganizationAudit(organizationId, { action: "member.removed", ...about, changes }, tx)
}
