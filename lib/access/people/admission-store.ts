import { addPersonAudit } from "@/lib/access/audit-store"
import { proveAddress, type Proof } from "@/lib/access/credentials/proof-store"
import type { LinkRecipient } from "@/lib/access/credentials/link-store"
import { acceptInvite, lockOpenInvites, type LockedInvite } from "@/lib/access/invites/open-invite-store"
import { findPerson } from "@/lib/access/people/people-store"
import { insertUser, lockUser } from "@/lib/access/people/user-store"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

/** Where a request comes from, for the audit log. */
export type AdmittedFrom = { ip: string }

/**
 * The user of a proven address, or, when the address has open invites, a new user who joins by them. Null for everybody
 * else: nobody signs up.
 */
export async function admit(recipient: LinkRecipient, proof: Proof): Promise<string | null> {
  const known = "userId" in recipient ? recipient.userId : (await findPerson(recipient.email))?.id
  if (!known) return "email" in recipient ? newUser(recipient, proof) : null
  await unscopedTransaction((tx) => proveAddress(known, proof, tx))
  return known
}

/** `inviteId` is the one invite whose link was opened; without it the address is proven, and all its invites count. */
export type Newcomer = { email: string; name?: string; passwordHash?: string; inviteId?: string }

/**
 * Makes a user of an invited address and accepts the named invite, or all of the address. Null when no invite is open any
 * more, or the address has a user.
 */
export async function newUser(newcomer: Newcomer, from: AdmittedFrom): Promise<string | null> {
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
export async function acceptAs(
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
  const entry = { action: "member.joined", target: encodeId("usr", userId), changes }
  await addPersonAudit({ organizationId, userId, ip: from.ip }, entry, tx)
}
