import { addAudit } from "@/lib/access/audit-store"
import type { Member } from "@/lib/access/people/members-schema"
import type { Role } from "@/lib/access/permissions"
import { mayManage } from "@/lib/access/rules"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Scope, SessionPrincipal } from "@/lib/platform/http/scope"

/** The members of the project's organization, in the order in which they joined. */
export async function listMembers(scope: Scope): Promise<Member[]> {
  const { rows } = await pool().query<Row>(`${SELECT} WHERE m.organization_id = $1 ORDER BY m.created_at, u.id`, [
    scope.organization.id,
  ])
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
  return transaction(async (client) => {
    const [mine, before] = await lockedRoles(scope, [actor.userId, userId], client)
    if (!before) return "missing"
    if (!mayManage(mine, before) || !mayManage(mine, role)) return "not-yours"
    if (before === "owner" && role !== "owner" && (await owners(scope, client)) === 1) return "last-owner"
    await client.query("UPDATE members SET role = $3 WHERE organization_id = $1 AND user_id = $2", [
      scope.organization.id,
      userId,
      role,
    ])
    if (role !== before) {
      const target = encodeId("usr", userId)
      await addAudit(
        scope,
        { action: "member.role_changed", target, changes: { role: { from: before, to: role } } },
        client,
      )
    }
    const { rows } = await client.query<Row>(`${SELECT} WHERE m.organization_id = $1 AND m.user_id = $2`, [
      scope.organization.id,
      userId,
    ])
    return toMember(scope, rows[0] as Row)
  })
}

/** Takes a member out, or lets the actor leave. Who belongs to no organization then is signed out everywhere. */
export async function removeMember(scope: Scope, actor: SessionPrincipal, userId: string): Promise<MemberFault | null> {
  return transaction(async (client) => {
    const [mine, role] = await lockedRoles(scope, [actor.userId, userId], client)
    if (!role) return "missing"
    if (userId !== actor.userId && !mayManage(mine, role)) return "not-yours"
    if (role === "owner" && (await owners(scope, client)) === 1) return "last-owner"
    await client.query("DELETE FROM members WHERE organization_id = $1 AND user_id = $2", [
      scope.organization.id,
      userId,
    ])
    await client.query(
      `UPDATE sessions SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = $1)`,
      [userId],
    )
    const action = userId === actor.userId ? "member.left" : "member.removed"
    await addAudit(scope, { action, target: encodeId("usr", userId), changes: { role } }, client)
    return null
  })
}

/** Changes of members and invites wait for each other at the organization's row. */
export async function lockOrganization(scope: Scope, client: Queryable): Promise<void> {
  await client.query("SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [scope.organization.id])
}

/** The roles of these users behind the lock: a cached one may be a second old. */
export async function lockedRoles(
  scope: Scope,
  userIds: readonly string[],
  client: Queryable,
): Promise<(string | undefined)[]> {
  await lockOrganization(scope, client)
  const { rows } = await client.query<{ user_id: string; role: string }>(
    "SELECT user_id, role FROM members WHERE organization_id = $1 AND user_id = ANY ($2::uuid[])",
    [scope.organization.id, userIds],
  )
  return userIds.map((userId) => rows.find(({ user_id }) => user_id === userId)?.role)
}

async function owners(scope: Scope, client: Queryable): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM members WHERE organization_id = $1 AND role = 'owner'",
    [scope.organization.id],
  )
  return rows[0]?.count ?? 0
}

type Row = { id: string; email: string; name: string | null; role: Role; joined_at: Date }

const SELECT =
  "SELECT u.id, u.email, u.name, m.role, m.created_at AS joined_at FROM members m JOIN users u ON u.id = m.user_id"

function toMember({ principal }: Scope, { joined_at, name, ...row }: Row): Member {
  return {
    ...row,
    name: present(name),
    you: principal.kind === "session" && principal.userId === row.id,
    joinedAt: joined_at,
  }
}
