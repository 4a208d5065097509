import { addAudit, addPersonAudit } from "@/lib/access/audit/data"
import type { LinkRecipient } from "@/lib/access/credentials/data"
import {
  findPerson,
  insertUser,
  lockedRoles,
  lockUser,
  type Proof,
  proveAddress,
  roleOf,
} from "@/lib/access/people/data"
import type { Invite } from "@/lib/access/people/schema"
import type { Role } from "@/lib/access/permissions"
import { mayManage } from "@/lib/access/rules"
import { queueSystemMail, undeliveredInvites } from "@/lib/access/system-mail/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import type { Scope, SessionPrincipal } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { dayMs } from "@/lib/platform/time"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

/** Neither accepted nor revoked; expired ones stay in the list until they are renewed or revoked. */
const pending = { acceptedAt: null, revokedAt: null } as const

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

export async function readInvites(scope: Scope): Promise<Invite[]> {
  const rows = await unscoped().invite.findMany({
    where: { organizationId: scope.organization.id, ...pending },
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
    const before = await tx.invite.findFirst({ where: { organizationId, email, ...pending }, select: { role: true } })
    // Only a user who could send the earlier invite may replace it.
    if (before && !mayManage(mine, before.role)) return "not-yours"
    await tx.invite.updateMany({ where: { organizationId, email, ...pending }, data: { revokedAt: now } })
    const row = await tx.invite.create({
      data: {
        ...{ id: newId(), organizationId, email, role, expiresAt, mailed },
        tokenHash: new Uint8Array(tokenHash),
        invitedBy: actor.userId,
      },
      select: shape,
    })
    const entry = { action: "invite.created", target: encodeId("inv", row.id), name: email, changes: { role } } as const
    await addAudit(scope, entry, db(scope, tx))
    if (mailed) await queueEmail(scope, actor, { ...plan, id: row.id }, tx)
    return toInvite(row, actor.email)
  })
}

/** Revokes an open invite; its link no longer works. */
export async function withdrawInvite(
  scope: Scope,
  actor: SessionPrincipal,
  id: string,
): Promise<"missing" | "not-yours" | null> {
  return unscopedTransaction(async (tx) => {
    const organizationId = scope.organization.id
    const [mine] = await lockedRoles(scope, [actor.userId], tx)
    const invite = await tx.invite.findUnique({
      where: { id, organizationId, ...pending },
      select: { email: true, role: true },
    })
    if (!invite) return "missing"
    if (!mayManage(mine, invite.role)) return "not-yours"
    // Accepting does not wait for this lock: it may have come first.
    const { count } = await tx.invite.updateMany({
      where: { id, organizationId, ...pending },
      data: { revokedAt: await databaseTime(tx) },
    })
    if (!count) return "missing"
    const { email: name, role } = invite
    const entry = { action: "invite.revoked", target: encodeId("inv", id), name, changes: { role } } as const
    await addAudit(scope, entry, db(scope, tx))
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

// Accepting

/** An invite that can still be accepted. */
async function acceptableNow(on?: Prisma.TransactionClient) {
  return { acceptedAt: null, revokedAt: null, expiresAt: { gt: await databaseTime(on) } }
}

/** True when the address has an open invite. */
export async function isInvited(email: string): Promise<boolean> {
  const invite = await unscoped().invite.findFirst({
    where: { email, ...(await acceptableNow()) },
    select: { id: true },
  })
  return invite !== null
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

/** The open invite of a token, or null. */
export async function findOpenInvite(tokenHash: Buffer): Promise<OpenInvite | null> {
  const found = await unscoped().invite.findUnique({
    where: { tokenHash: new Uint8Array(tokenHash), ...(await acceptableNow()) },
    select: { id: true, email: true, role: true, invitedBy: true, organization: { select: { name: true } } },
  })
  if (!found) return null
  const { organization, invitedBy, ...invite } = found
  const people = await unscoped().user.findMany({
    where: { OR: [{ email: invite.email }, ...(invitedBy === null ? [] : [{ id: invitedBy }])] },
    select: { id: true, email: true, name: true },
  })
  const inviter = people.find(({ id }) => id === invitedBy)
  return {
    ...invite,
    organization: organization.name,
    invitedBy: inviter ? (inviter.name ?? inviter.email) : null,
    hasAccount: people.some(({ email }) => email === invite.email),
  }
}

const lockedShape = { id: true, organizationId: true, role: true, mailed: true } as const

type LockedInvite = Prisma.InviteGetPayload<{ select: typeof lockedShape }>

/** Locks the open invites of an address, or the one of that id or token, and answers those that are still open. */
async function lockOpenInvites(
  { email, inviteId, tokenHash }: { email: string; inviteId?: string; tokenHash?: Buffer },
  tx: Prisma.TransactionClient,
): Promise<LockedInvite[]> {
  const asked = {
    where: {
      ...{ email, ...(await acceptableNow(tx)) },
      ...(inviteId && { id: inviteId }),
      ...(tokenHash && { tokenHash: new Uint8Array(tokenHash) }),
    },
    select: lockedShape,
    orderBy: { id: "asc" },
  } as const
  for (const { id } of await tx.invite.findMany(asked)) await lockRow("invites", id, tx)
  return tx.invite.findMany(asked)
}

/** Accepts an invite that is locked. */
async function acceptInvite(id: string, tx: Prisma.TransactionClient): Promise<void> {
  await tx.invite.updateMany({ where: { id }, data: { acceptedAt: await databaseTime(tx) } })
}

/** Where a request comes from, for the audit log. */
export type AdmittedFrom = { ip: string; requestId?: string }

/**
 * The user of a proven address, or, when the address has open invites, a new user who joins by them. Null for everybody
 * else: nobody signs up.
 */
export async function admit(recipient: LinkRecipient, proof: Proof): Promise<string | null> {
  const known = "userId" in recipient ? recipient.userId : (await findPerson(recipient.email))?.id
  if (!known) return "email" in recipient ? addInvitedUser(recipient, proof) : null
  await unscopedTransaction((tx) => proveAddress(known, proof, tx))
  return known
}

/** `inviteId` is the one invite whose link was opened; without it the address is proven, and all its invites count. */
export type Newcomer = { email: string; name?: string; passwordHash?: string; inviteId?: string }

/**
 * Makes a user of an invited address and accepts the named invite, or all of the address. Null when no invite is open any
 * more, or the address has a user.
 */
export async function addInvitedUser(newcomer: Newcomer, from: AdmittedFrom): Promise<string | null> {
  return unscopedTransaction(async (tx) => {
    const { inviteId, ...user } = newcomer
    const invites = await lockOpenInvites({ email: user.email, ...(inviteId && { inviteId }) }, tx)
    if (!invites.length) return null
    // A link that was shown instead of mailed says nothing about who opens it.
    const proven = !inviteId || invites.every(({ mailed }) => mailed)
    const userId = await insertUser({ ...user, proven }, tx)
    if (userId) for (const invite of invites) await join(invite, userId, from, tx)
    return userId
  })
}

/**
 * The signed-in user accepts an invite to their own address; null when there is none of that token. Only a proven address
 * takes an account into a further organization.
 */
export async function acceptInviteAs(
  { userId, email }: { userId: string; email: string },
  tokenHash: Buffer,
  from: AdmittedFrom,
): Promise<{ organizationId: string } | "unproven" | null> {
  return unscopedTransaction(async (tx) => {
    const [invite] = await lockOpenInvites({ email, tokenHash }, tx)
    if (!invite) return null
    if (!(await lockUser(userId, tx))?.proven) return "unproven"
    await join(invite, userId, from, tx)
    return { organizationId: invite.organizationId }
  })
}

/** A member keeps the role they have. */
async function join({ id, organizationId, role }: LockedInvite, userId: string, from: AdmittedFrom, tx: Tx) {
  await acceptInvite(id, tx)
  await tx.member.createMany({ data: { organizationId, userId, role }, skipDuplicates: true })
  const changes = { role, invite: encodeId("inv", id) }
  const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } })
  const entry = { action: "member.joined", target: encodeId("usr", userId), name: user?.email, changes } as const
  await addPersonAudit({ organizationId, userId, ...from }, entry, tx)
}
