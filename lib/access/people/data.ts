import { addAudit, addPersonAudit, countPersonEntries, type NewAuditEntry } from "@/lib/access/audit/data"
import { revokeSessions } from "@/lib/access/credentials/data"
import type { Identity } from "@/lib/access/credentials/identity-providers"
import type { Member } from "@/lib/access/people/schema"
import type { Role } from "@/lib/access/permissions"
import { mayManage } from "@/lib/access/rules"
import { dropPendingSignIns, removeSecondFactors } from "@/lib/access/second-factor/data"
import { queueSystemMail } from "@/lib/access/system-mail/data"
import { systemMailExpiresAfterMs, systemRelay } from "@/lib/access/system-mail/system-mail"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import type { Scope, SessionPrincipal } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { hourMs } from "@/lib/platform/time"
import { present } from "@/lib/platform/schema"
import type { Prisma } from "@/prisma/generated/client"

// Members

type Tx = Prisma.TransactionClient

const columns = {
  organizationId: false,
  userId: false,
  role: true,
  fromGroup: true,
  createdAt: true,
} as const satisfies Record<Prisma.MemberScalarFieldEnum, boolean>
const shape = { ...columns, user: { select: { id: true, email: true, name: true } } } as const

type Row = Prisma.MemberGetPayload<{ select: typeof shape }>

/** The members of the project's organization, in the order in which they joined. */
export async function readMembersOfOrganization(scope: Scope): Promise<Member[]> {
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
    if (before === "owner" && role !== "owner" && (await countOwners(scope, tx)) === 1) return "last-owner"
    const row = await tx.member.update({
      where: { organizationId_userId: { organizationId: scope.organization.id, userId } },
      // What a person has set by hand is no longer for the groups to change.
      data: { role, fromGroup: false },
      select: shape,
    })
    if (role !== before) {
      const changes = { role: { from: before, to: role } }
      const entry = { action: "member.role_changed", target: encodeId("usr", userId), name: row.user.email } as const
      await addAudit(scope, { ...entry, changes }, db(scope, tx))
    }
    return toMember(scope, row)
  })
}

/** Removes a member, or lets the actor leave. A user left without an organization is signed out everywhere. */
export async function removeFromOrganization(
  scope: Scope,
  actor: SessionPrincipal,
  userId: string,
): Promise<MemberFault | null> {
  return unscopedTransaction(async (tx) => {
    const [mine, role] = await lockedRoles(scope, [actor.userId, userId], tx)
    if (!role) return "missing"
    if (userId !== actor.userId && !mayManage(mine, role)) return "not-yours"
    if (role === "owner" && (await countOwners(scope, tx)) === 1) return "last-owner"
    await tx.member.deleteMany({ where: { organizationId: scope.organization.id, userId } })
    if (!(await tx.member.findFirst({ where: { userId }, select: { userId: true } })))
      await revokeSessions({ userId }, tx)
    const action = userId === actor.userId ? "member.left" : "member.removed"
    const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } })
    const entry = { action, target: encodeId("usr", userId), name: user?.email, changes: { role } } as const
    await addAudit(scope, entry, db(scope, tx))
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

function countOwners(scope: Scope, tx: Tx): Promise<number> {
  return tx.member.count({ where: { organizationId: scope.organization.id, role: "owner" } })
}

function toMember({ principal }: Scope, { role, fromGroup, createdAt, user }: Row): Member {
  return shown<Member>()({
    ...user,
    name: present(user.name),
    role: roleOf(role),
    fromGroup,
    you: principal.kind === "session" && principal.userId === user.id,
    joinedAt: createdAt,
  })
}

/** A check constraint of the table admits nothing else. */
export function roleOf(role: string): Role {
  return role as Role
}

// Organizations

export type Founder = { email: string; name?: string; passwordHash: string; organization: string }

/**
 * Adds an organization with its owner, whose address the operator of the machine vouches for. Null when the address has an
 * account.
 */
export async function addOrganization(
  { organization, ...owner }: Founder,
  tx: Tx,
): Promise<{ userId: string; organizationId: string } | null> {
  const userId = await insertUser({ ...owner, proven: true }, tx)
  if (!userId) return null
  const organizationId = newId()
  await tx.organization.createMany({ data: { id: organizationId, name: organization } })
  await tx.member.createMany({ data: { organizationId, userId, role: "owner" } })
  return { userId, organizationId }
}

/** Lets the projects of an organization register domains outside their home region, or no longer. */
export async function entitle(organizationId: string, multiRegion: boolean, on: Tx = unscoped()): Promise<boolean> {
  const { count } = await on.organization.updateMany({ where: { id: organizationId }, data: { multiRegion } })
  return count > 0
}

/** Sets how much an organization may send in a day, and with `dailySendsCeiling` how high its owners may set that. */
export async function setDailySends(
  organizationId: string,
  limits: { dailySends: number; dailySendsCeiling?: number },
  tx: Tx,
): Promise<void> {
  await tx.organization.updateMany({ where: { id: organizationId }, data: limits })
}

/** Sets how many projects an organization may own; for the operator. */
export async function setMaxProjects(organizationId: string, maxProjects: number, tx: Tx): Promise<void> {
  await tx.organization.updateMany({ where: { id: organizationId }, data: { maxProjects } })
}

/** Deletes an organization that has no projects, with one of its users. */
export async function removeOrganization({ organizationId, userId }: { organizationId: string; userId: string }) {
  await unscopedTransaction(async (tx) => {
    await tx.organization.deleteMany({ where: { id: organizationId } })
    await tx.user.deleteMany({ where: { id: userId } })
  })
}

// Users

/** True once the installation has a user; before that, nobody can sign in. */
export async function somebodyExists(): Promise<boolean> {
  return (await unscoped().user.findFirst({ select: { id: true } })) !== null
}

export type Person = { id: string; email: string; passwordHash: string | null }

export function findPerson(email: string): Promise<Person | null> {
  return unscoped().user.findUnique({ where: { email }, select: { id: true, email: true, passwordHash: true } })
}

/** Whether somebody with this address has something to open here: an organization, or the installation. */
export async function signsInHere(email: string): Promise<boolean> {
  const where = { email, OR: [{ memberships: { some: {} } }, { operatorSince: { not: null } }] }
  return (await unscoped().user.findFirst({ where, select: { id: true } })) !== null
}

/** Whether somebody who runs the installation has this address. */
export async function isOperatorAddress(address: string): Promise<boolean> {
  const where = { email: address.toLowerCase(), operatorSince: { not: null } }
  return (await unscoped().user.findFirst({ where, select: { id: true } })) !== null
}

export async function passwordHashOf(userId: string): Promise<string | null> {
  const user = await unscoped().user.findUnique({ where: { id: userId }, select: { passwordHash: true } })
  return user?.passwordHash ?? null
}

/** True once the user has proven that the address is theirs. */
export async function isProven(userId: string): Promise<boolean> {
  const user = await unscoped().user.findUnique({ where: { id: userId }, select: { emailProvenAt: true } })
  return Boolean(user?.emailProvenAt)
}

export type NewUser = { email: string; name?: string; passwordHash?: string; proven: boolean }

/** Adds a user; null when the address has one. */
export async function insertUser({ proven, ...user }: NewUser, tx: Tx): Promise<string | null> {
  const id = newId()
  const data = { ...user, id, emailProvenAt: proven ? await databaseTime(tx) : null }
  const { count } = await tx.user.createMany({ data, skipDuplicates: true })
  return count ? id : null
}

// Users

export type LockedUser = { email: string; name: string | null; hasPassword: boolean; proven: boolean }

/** A user behind the lock of their row, or null. */
export async function lockUser(userId: string, tx: Tx): Promise<LockedUser | null> {
  if (!(await lockRow("users", userId, tx))) return null
  const { passwordHash, emailProvenAt, ...user } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true, name: true, passwordHash: true, emailProvenAt: true },
  })
  return { ...user, hasPassword: passwordHash !== null, proven: emailProvenAt !== null }
}

/**
 * Sets a password, ends every other session and deletes the sign-in links, so that nobody else has a way in. The links to
 * an unproven address stay, since only its owner gets those. False when the session has ended meanwhile.
 */
export async function setPassword({ userId, sessionId }: SessionPrincipal, passwordHash: string): Promise<boolean> {
  return unscopedTransaction(async (tx) => {
    // Behind the lock, a sign-in that ended this session is seen.
    const user = await lockUser(userId, tx)
    const session = await tx.session.findUnique({
      where: { id: sessionId, userId, revokedAt: null },
      select: { id: true },
    })
    if (!user || !session) return false
    await tx.user.updateMany({ where: { id: userId }, data: { passwordHash } })
    await revokeSessions({ userId, id: { not: sessionId } }, tx)
    await dropPendingSignIns(userId, tx)
    if (user.proven) await tx.signInLink.deleteMany({ where: { OR: [{ userId }, { email: user.email }] } })
    return true
  })
}

/** Renames a user; the audit log of each of their organizations, which list members by name, says so. */
export async function renamePerson(
  { userId }: SessionPrincipal,
  name: string,
  at: { ip: string; requestId: string },
): Promise<void> {
  await unscopedTransaction(async (tx) => {
    const user = await lockUser(userId, tx)
    if (!user || user.name === name) return
    await tx.user.updateMany({ where: { id: userId }, data: { name } })
    const changes = { name: { from: user.name, to: name } }
    const entry = { action: "member.renamed", target: encodeId("usr", userId), name: user.email, changes } as const
    await auditPerson({ userId, ...at }, entry, tx)
  })
}

/** When and how the person of a session has proved who they are. */
export type SessionProof = { createdAt: Date; confirmedAt: Date; by: string }

export async function sessionProof(sessionId: string): Promise<SessionProof | null> {
  const session = await unscoped().session.findUnique({
    where: { id: sessionId },
    select: { createdAt: true, confirmedAt: true, signedInBy: true },
  })
  if (!session) return null
  const { signedInBy: by, ...times } = session
  return { ...times, by }
}

// How an address or an account at a provider becomes a user's

/** How an address was proven: by a link sent to it, or by a provider that verified it. */
export type Proof = { by: "link" | "github" | "google" | "oidc"; ip: string }

/**
 * Records that the account's address is its user's. The first time, every earlier way into the account is removed: it may
 * have been set up by someone else who saw the link of an invite.
 */
export async function proveAddress(userId: string, { by, ip }: Proof, tx: Tx): Promise<void> {
  const user = await lockUser(userId, tx)
  if (!user || user.proven) return
  const { email, hasPassword } = user
  await markProven(userId, tx)
  await removeSecondFactors(userId, tx)
  await tx.identity.deleteMany({ where: { userId } })
  await tx.signInLink.deleteMany({ where: { OR: [{ userId }, { email }] } })
  await revokeSessions({ userId }, tx)
  const changes = { by, passwordRemoved: hasPassword }
  const entry = { action: "member.address_proven", target: encodeId("usr", userId), name: email, changes } as const
  await auditPerson({ userId, ip }, entry, tx)
  if (hasPassword && systemRelay())
    await queueSystemMail({ kind: "password-removed", to: email }, new Date(Date.now() + systemMailExpiresAfterMs), tx)
}

/** Marks the address as proven and removes the password. */
async function markProven(userId: string, tx: Tx): Promise<void> {
  const data = { emailProvenAt: await databaseTime(tx), passwordHash: null }
  await tx.user.updateMany({ where: { id: userId }, data })
}

/** Records what a user did with their own account, in the log of each of their organizations. */
export async function auditPerson(
  by: { userId: string; ip: string; requestId?: string },
  entry: NewAuditEntry,
  tx: Tx = unscoped(),
): Promise<void> {
  for (const organizationId of await organizationsOfUsers({ id: by.userId }, tx))
    await addPersonAudit({ organizationId, ...by }, entry, tx)
}

/** Who guesses passwords must not fill the log, whose entries stay for ever. */
const failuresPerHour = 20

/** Records that somebody failed to sign in as a user, in the log of each of the user's organizations. */
export async function auditFailedSignIn(by: { userId: string; ip: string }, email: string): Promise<void> {
  const { userId } = by
  const action = "user.sign_in_failed"
  const since = new Date((await databaseTime()).getTime() - hourMs)
  for (const organizationId of await organizationsOfUsers({ id: userId }, unscoped()))
    if ((await countPersonEntries({ organizationId, userId, since }, action)) < failuresPerHour)
      await addPersonAudit({ organizationId, ...by }, { action, target: encodeId("usr", userId), name: email })
}

/** Whose account it is at: an installation that changes its issuer has another provider. */
function providerOf({ provider, issuer }: Identity): string {
  return issuer ?? provider
}

/** The user whom an account at an identity provider signs in, or null. */
export async function userOfIdentity(identified: Identity): Promise<{ id: string; email: string } | null> {
  const identity = await unscoped().identity.findUnique({
    where: { provider_subject: { provider: providerOf(identified), subject: identified.subject } },
    select: { user: { select: { id: true, email: true } } },
  })
  return identity?.user ?? null
}

/** Links the provider's account to the user; false when either is linked to another. */
export async function linkIdentity(userId: string, identity: Identity): Promise<boolean> {
  const [provider, { subject }] = [providerOf(identity), identity]
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    const linked = await tx.identity.findFirst({ where: { provider, userId }, select: { subject: true } })
    if (linked) return linked.subject === subject
    const { count } = await tx.identity.createMany({ data: { provider, subject, userId }, skipDuplicates: true })
    return count === 1
  })
}

// The operator

/** Makes a user run the installation, or no longer; false when nothing changes by it. */
export async function setOperator(userId: string, operator: boolean, tx: Tx): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, operatorSince: operator ? null : { not: null } },
    data: { operatorSince: operator ? await databaseTime(tx) : null },
  })
  return count > 0
}

/** Users who run the installation. */
export function countOperators(tx: Tx): Promise<number> {
  return tx.user.count({ where: { operatorSince: { not: null } } })
}

const organizationsMax = 1_000

/** Ids of the organizations that any of these users is a member of. */
export async function organizationsOfUsers(user: Prisma.UserWhereInput, tx: Tx): Promise<string[]> {
  const members = await tx.member.findMany({
    where: { user },
    select: { organizationId: true },
    distinct: ["organizationId"],
    take: organizationsMax,
  })
  return members.map(({ organizationId }) => organizationId)
}
