import { addPersonAudit } from "@/lib/access/audit-store"
import { revokeSessions } from "@/lib/access/credentials/session-store"
import type { Identity } from "@/lib/access/credentials/identity-providers"
import { lockUser } from "@/lib/access/people/user-store"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { encodeId } from "@/lib/platform/ids"
import type { SessionPrincipal } from "@/lib/platform/http/scope"

/** True once the installation has a user; before that, nobody can sign in. */
export async function somebodyExists(): Promise<boolean> {
  return (await unscoped().user.findFirst({ select: { id: true } })) !== null
}

export type Person = { id: string; email: string; passwordHash: string | null }

export function findPerson(email: string): Promise<Person | null> {
  return unscoped().user.findUnique({ where: { email }, select: { id: true, email: true, passwordHash: true } })
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
    if (user.proven) await tx.signInLink.deleteMany({ where: { OR: [{ userId }, { email: user.email }] } })
    return true
  })
}

/** Renames a user; the audit log of each of their organizations, which list members by name, says so. */
export async function renamePerson(
  { userId, roles }: SessionPrincipal,
  name: string,
  at: { ip: string; requestId: string },
): Promise<void> {
  await unscopedTransaction(async (tx) => {
    const user = await lockUser(userId, tx)
    if (!user || user.name === name) return
    await tx.user.updateMany({ where: { id: userId }, data: { name } })
    const changes = { name: { from: user.name, to: name } }
    const entry = { action: "member.renamed", target: encodeId("usr", userId), changes }
    for (const organizationId of roles.keys()) await addPersonAudit({ organizationId, userId, ...at }, entry, tx)
  })
}

/** The user whom an account at an identity provider signs in, or null. */
export async function userOfIdentity({ provider, subject }: Identity): Promise<string | null> {
  const identity = await unscoped().identity.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { userId: true },
  })
  return identity?.userId ?? null
}

/** Links the provider's account to the user; false when either is linked to another. */
export async function linkIdentity(userId: string, { provider, subject }: Identity): Promise<boolean> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    const linked = await tx.identity.findFirst({ where: { provider, userId }, select: { subject: true } })
    if (linked) return linked.subject === subject
    const { count } = await tx.identity.createMany({ data: { provider, subject, userId }, skipDuplicates: true })
    return count === 1
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
