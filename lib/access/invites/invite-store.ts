import { dayMs } from "@/lib/platform/time"
import { addAudit } from "@/lib/access/audit-store"
import { lockedRoles, roleOf } from "@/lib/access/people/member-store"
import type { Invite } from "@/lib/access/people/members-schema"
import type { Role } from "@/lib/access/permissions"
import { mayManage } from "@/lib/access/rules"
import { queueSystemMail, undeliveredInvites } from "@/lib/access/system-mail/store"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Scope, SessionPrincipal } from "@/lib/platform/http/scope"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

/** Neither accepted nor revoked; expired ones stay in the list until they are renewed or revoked. */
const open = { acceptedAt: null, revokedAt: null } as const

const shape = {
  id: true,
  organizationId: false,
  email: true,
  role: true,
  tokenHash: false,
  invitedBy: true,
  mailed: false,
  expiresAt: true,
  acceptedAt: false,
  revokedAt: false,
  createdAt: true,
} as const satisfies Record<Prisma.InviteScalarFieldEnum, boolean>

type Row = Prisma.InviteGetPayload<{ select: typeof shape }>

export async function listInvites(scope: Scope): Promise<Invite[]> {
  const rows = await unscoped().invite.findMany({
    where: { organizationId: scope.organization.id, ...open },
    select: shape,
    orderBy: { id: "desc" },
  })
  const [inviters, undelivered] = await Promise.all([
    emailsOf(rows.flatMap(({ invitedBy }) => invitedBy ?? [])),
    undeliveredInvites(rows.map(({ id }) => id)),
  ])
  return rows.map((row) => toInvite(row, inviters.get(row.invitedBy ?? ""), undelivered.get(row.id)))
}

export type InvitePlan = { email: string; role: Role; tokenHash: Buffer; url: string; expiresAt: Date; mailed: boolean }

/** Invites of 24 hours that nobody has accepted: email to strangers in the organization's name, so there are not many. */
export const invitesPerDay = 100

/** Invites an address, in place of an earlier open invite to it, and queues the email. */
export async function addInvite(
  scope: Scope,
  actor: SessionPrincipal,
  plan: InvitePlan,
): Promise<Invite | "not-yours" | "member" | "too-many"> {
  return unscopedTransaction(async (tx) => {
    const organizationId = scope.organization.id
    const { email, role, tokenHash, expiresAt, mailed } = plan
    const [mine] = await lockedRoles(scope, [actor.userId], tx)
    if (!mayManage(mine, role)) return "not-yours"
    if (await tx.member.count({ where: { organizationId, user: { email } } })) return "member"
    const now = await databaseTime(tx)
    const today = { organizationId, acceptedAt: null, createdAt: { gt: new Date(now.getTime() - dayMs) } }
    if ((await tx.invite.count({ where: today })) >= invitesPerDay) return "too-many"
    const before = await tx.invite.findFirst({ where: { organizationId, email, ...open }, select: { role: true } })
    // Only a user who could send the earlier invite may replace it.
    if (before && !mayManage(mine, before.role)) return "not-yours"
    await tx.invite.updateMany({ where: { organizationId, email, ...open }, data: { revokedAt: now } })
    const row = await tx.invite.create({
      data: {
        ...{ id: newId(), organizationId, email, role, expiresAt, mailed },
        tokenHash: new Uint8Array(tokenHash),
        invitedBy: actor.userId,
      },
      select: shape,
    })
    const entry = { action: "invite.created", target: encodeId("inv", row.id), changes: { email, role } }
    await addAudit(scope, entry, db(scope, tx))
    if (mailed) await queueEmail(scope, actor, { ...plan, id: row.id }, tx)
    return toInvite(row, actor.email)
  })
}

/** Revokes an open invite; its link no longer works. */
export async function revokeInvite(
  scope: Scope,
  actor: SessionPrincipal,
  id: string,
): Promise<"missing" | "not-yours" | null> {
  return unscopedTransaction(async (tx) => {
    const organizationId = scope.organization.id
    const [mine] = await lockedRoles(scope, [actor.userId], tx)
    const invite = await tx.invite.findUnique({
      where: { id, organizationId, ...open },
      select: { email: true, role: true },
    })
    if (!invite) return "missing"
    if (!mayManage(mine, invite.role)) return "not-yours"
    // Accepting does not wait for this lock: it may have come first.
    const { count } = await tx.invite.updateMany({
      where: { id, organizationId, ...open },
      data: { revokedAt: await databaseTime(tx) },
    })
    if (!count) return "missing"
    await addAudit(scope, { action: "invite.revoked", target: encodeId("inv", id), changes: invite }, db(scope, tx))
    return null
  })
}

async function queueEmail(scope: Scope, actor: SessionPrincipal, plan: InvitePlan & { id: string }, tx: Tx) {
  const { email: to, role, url, expiresAt, id: inviteId } = plan
  const { name: organization } = await tx.organization.findUniqueOrThrow({
    where: { id: scope.organization.id },
    select: { name: true },
  })
  const inviter = actor.name ?? actor.email
  await queueSystemMail({ kind: "invite", to, inviteId, role, url, organization, inviter }, expiresAt, tx)
}

/** Email addresses by user id. */
async function emailsOf(userIds: string[]): Promise<Map<string, string>> {
  const rows = await unscoped().user.findMany({
    where: { id: { in: [...new Set(userIds)] } },
    select: { id: true, email: true },
  })
  return new Map(rows.map(({ id, email }) => [id, email]))
}

function toInvite(row: Row, invitedBy?: string, undelivered?: string): Invite {
  return shown<Invite>()({ ...row, role: roleOf(row.role), invitedBy: present(invitedBy), undelivered })
}
