import { addAudit } from "@/lib/access/audit-store"
import { revokeSessions } from "@/lib/access/credentials/session-store"
import type { Member } from "@/lib/access/people/members-schema"
import type { Role } from "@/lib/access/permissions"
import { mayManage } from "@/lib/access/rules"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { encodeId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Scope, SessionPrincipal } from "@/lib/platform/http/scope"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

const columns = {
  organizationId: false,
  userId: false,
  role: true,
  createdAt: true,
} as const satisfies Record<Prisma.MemberScalarFieldEnum, boolean>
const shape = { ...columns, user: { select: { id: true, email: true, name: true } } } as const

type Row = Prisma.MemberGetPayload<{ select: typeof shape }>

/** The members of the project's organization, in the order in which they joined. */
export async function listMembers(scope: Scope): Promise<Member[]> {
  const rows = await unscoped().member.findMany({
    where: { organizationId: scope.organization.id },
    select: shape,
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
  })
  return rows.map((row) => toMember(scope, row))
}

/** Why a change of the members did not happen. */
export type MemberFault = "missing" | "not-yours" | "last-owner"

/** Gives a member another role. The actor's own role is read again behind the lock that orders such changes. */
export async function changeRole(
  scope: Scope,
  actor: SessionPrincipal,
  userId: string,
  role: Role,
): Promise<Member | MemberFault> {
  return unscopedTransaction(async (tx) => {
    const [mine, before] = await lockedRoles(scope, [actor.userId, userId], tx)
    if (!before) return "missing"
    if (!mayManage(mine, before) || !mayManage(mine, role)) return "not-yours"
    if (before === "owner" && role !== "owner" && (await owners(scope, tx)) === 1) return "last-owner"
    const row = await tx.member.update({
      where: { organizationId_userId: { organizationId: scope.organization.id, userId } },
      data: { role },
      select: shape,
    })
    if (role !== before) {
      const changes = { role: { from: before, to: role } }
      await addAudit(scope, { action: "member.role_changed", target: encodeId("usr", userId), changes }, db(scope, tx))
    }
    return toMember(scope, row)
  })
}

/** Removes a member, or lets the actor leave. A user left without an organization is signed out everywhere. */
export async function removeMember(scope: Scope, actor: SessionPrincipal, userId: string): Promise<MemberFault | null> {
  return unscopedTransaction(async (tx) => {
    const [mine, role] = await lockedRoles(scope, [actor.userId, userId], tx)
    if (!role) return "missing"
    if (userId !== actor.userId && !mayManage(mine, role)) return "not-yours"
    if (role === "owner" && (await owners(scope, tx)) === 1) return "last-owner"
    await tx.member.deleteMany({ where: { organizationId: scope.organization.id, userId } })
    if (!(await tx.member.findFirst({ where: { userId }, select: { userId: true } })))
      await revokeSessions({ userId }, tx)
    const action = userId === actor.userId ? "member.left" : "member.removed"
    await addAudit(scope, { action, target: encodeId("usr", userId), changes: { role } }, db(scope, tx))
    return null
  })
}

/**
 * The roles of these users behind the lock of their organization, at which changes of members and invites wait for each
 * other: a cached role may be a second old.
 */
export async function lockedRoles(scope: Scope, userIds: readonly string[], tx: Tx): Promise<(string | undefined)[]> {
  await lockRow("organizations", scope.organization.id, tx)
  const rows = await tx.member.findMany({
    where: { organizationId: scope.organization.id, userId: { in: [...userIds] } },
    select: { userId: true, role: true },
  })
  return userIds.map((id) => rows.find(({ userId }) => userId === id)?.role)
}

function owners(scope: Scope, tx: Tx): Promise<number> {
  return tx.member.count({ where: { organizationId: scope.organization.id, role: "owner" } })
}

function toMember({ principal }: Scope, { role, createdAt, user }: Row): Member {
  return shown<Member>()({
    ...user,
    name: present(user.name),
    role: roleOf(role),
    you: principal.kind === "session" && principal.userId === user.id,
    joinedAt: createdAt,
  })
}

/** A check constraint of the table admits nothing else. */
export function roleOf(role: string): Role {
  return role as Role
}
