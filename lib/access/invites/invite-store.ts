import { addAudit } from "@/lib/access/audit-store"
import { lockedRoles } from "@/lib/access/people/member-store"
import type { Invite } from "@/lib/access/people/members-schema"
import type { Role } from "@/lib/access/permissions"
import { mayManage } from "@/lib/access/rules"
import { queueSystemMail } from "@/lib/access/system-mail/queue-store"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Scope, SessionPrincipal } from "@/lib/platform/http/scope"

/** Neither accepted nor taken back; what is over stays in the list until it is renewed or taken back. */
const OPEN = "i.accepted_at IS NULL AND i.revoked_at IS NULL"

export async function listInvites(scope: Scope): Promise<Invite[]> {
  const { rows } = await pool().query<Row>(`${SELECT} WHERE i.organization_id = $1 AND ${OPEN} ORDER BY i.id DESC`, [
    scope.organization.id,
  ])
  return rows.map(toInvite)
}

export type InvitePlan = { email: string; role: Role; tokenHash: Buffer; url: string; expiresAt: Date; mailed: boolean }

/** Invites of 24 hours that nobody has accepted: email to strangers in the organization's name, so there are not many. */
export const invitesPerDay = 100

/** Invites an address, in place of an earlier open invite to it, and queues its letter. */
export async function addInvite(
  scope: Scope,
  actor: SessionPrincipal,
  plan: InvitePlan,
): Promise<Invite | "not-yours" | "member" | "too-many"> {
  return transaction(async (client) => {
    const [mine] = await lockedRoles(scope, [actor.userId], client)
    if (!mayManage(mine, plan.role)) return "not-yours"
    if (await isMember(scope, plan.email, client)) return "member"
    if ((await sentToday(scope, client)) >= invitesPerDay) return "too-many"
    const before = await openRole(scope, plan.email, client)
    // An invite of a higher hand is not replaced by a lower one.
    if (before && !mayManage(mine, before)) return "not-yours"
    await client.query(
      "UPDATE invites i SET revoked_at = now() WHERE i.organization_id = $1 AND i.email = $2 AND " + OPEN,
      [scope.organization.id, plan.email],
    )
    const id = newId()
    await client.query(
      "INSERT INTO invites (id, organization_id, email, role, token_hash, invited_by, expires_at, mailed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
      [id, scope.organization.id, plan.email, plan.role, plan.tokenHash, actor.userId, plan.expiresAt, plan.mailed],
    )
    await addAudit(
      scope,
      { action: "invite.created", target: encodeId("inv", id), changes: { email: plan.email, role: plan.role } },
      client,
    )
    if (plan.mailed) await queueLetter(scope, actor, { ...plan, id }, client)
    const { rows } = await client.query<Row>(`${SELECT} WHERE i.id = $1`, [id])
    return toInvite(rows[0] as Row)
  })
}

/** Takes an open invite back; its link is worth nothing from then on. */
export async function revokeInvite(
  scope: Scope,
  actor: SessionPrincipal,
  inviteId: string,
): Promise<"missing" | "not-yours" | null> {
  return transaction(async (client) => {
    const [mine] = await lockedRoles(scope, [actor.userId], client)
    const { rows } = await client.query<{ email: string; role: string }>(
      `SELECT i.email, i.role FROM invites i WHERE i.organization_id = $1 AND i.id = $2 AND ${OPEN} FOR UPDATE`,
      [scope.organization.id, inviteId],
    )
    const [invite] = rows
    if (!invite) return "missing"
    if (!mayManage(mine, invite.role)) return "not-yours"
    await client.query("UPDATE invites SET revoked_at = now() WHERE id = $1", [inviteId])
    await addAudit(scope, { action: "invite.revoked", target: encodeId("inv", inviteId), changes: invite }, client)
    return null
  })
}

/** What an invite's own page shows. */
export type OpenInvite = {
  id: string
  email: string
  role: string
  organization: string
  invitedBy: string | null
  hasAccount: boolean
}

/** The invite of a token that can still be accepted, or null. */
export async function findOpenInvite(tokenHash: Buffer): Promise<OpenInvite | null> {
  const { rows } = await pool().query<OpenInvite>(
    `SELECT i.id, i.email, i.role, o.name AS organization, coalesce(b.name, b.email) AS "invitedBy",
        EXISTS (SELECT 1 FROM users u WHERE u.email = i.email) AS "hasAccount"
      FROM invites i JOIN organizations o ON o.id = i.organization_id LEFT JOIN users b ON b.id = i.invited_by
      WHERE i.token_hash = $1 AND ${OPEN} AND i.expires_at > now()`,
    [tokenHash],
  )
  return rows[0] ?? null
}

async function isMember(scope: Scope, email: string, client: Queryable): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT 1 FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND u.email = $2",
    [scope.organization.id, email],
  )
  return Boolean(rowCount)
}

async function sentToday(scope: Scope, client: Queryable): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM invites WHERE organization_id = $1 AND created_at > now() - interval '24 hours' AND accepted_at IS NULL",
    [scope.organization.id],
  )
  return rows[0]?.count ?? 0
}

async function openRole(scope: Scope, email: string, client: Queryable): Promise<string | undefined> {
  const { rows } = await client.query<{ role: string }>(
    `SELECT i.role FROM invites i WHERE i.organization_id = $1 AND i.email = $2 AND ${OPEN}`,
    [scope.organization.id, email],
  )
  return rows[0]?.role
}

async function queueLetter(
  scope: Scope,
  actor: SessionPrincipal,
  plan: InvitePlan & { id: string },
  client: Queryable,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM organizations WHERE id = $1", [
    scope.organization.id,
  ])
  const { email: to, role, url, expiresAt } = plan
  const letter = {
    kind: "invite",
    to,
    inviteId: plan.id,
    role,
    url,
    organization: rows[0]?.name ?? "",
    inviter: actor.name ?? actor.email,
  } as const
  await queueSystemMail(letter, expiresAt, client)
}

type Row = {
  id: string
  email: string
  role: Role
  invited_by: string | null
  expires_at: Date
  created_at: Date
  undelivered: string | null
}

const SELECT = `SELECT i.id, i.email, i.role, b.email AS invited_by, i.expires_at, i.created_at,
    (SELECT u.reason FROM undelivered_system_mails u WHERE u.invite_id = i.id LIMIT 1) AS undelivered
  FROM invites i LEFT JOIN users b ON b.id = i.invited_by`

function toInvite({ id, email, role, ...row }: Row): Invite {
  const { expires_at: expiresAt, created_at: createdAt } = row
  return {
    id,
    email,
    role,
    invitedBy: present(row.invited_by),
    undelivered: present(row.undelivered),
    expiresAt,
    createdAt,
  }
}
