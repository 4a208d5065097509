import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { lockRow } from "@/lib/platform/database/locks-sql"
import type { Prisma } from "@/prisma/generated/client"

/** An invite that can still be accepted. */
async function open(on?: Prisma.TransactionClient) {
  return { acceptedAt: null, revokedAt: null, expiresAt: { gt: await databaseTime(on) } }
}

/** True when the address has an open invite. */
export async function isInvited(email: string): Promise<boolean> {
  const invite = await unscoped().invite.findFirst({ where: { email, ...(await open()) }, select: { id: true } })
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
    where: { tokenHash: new Uint8Array(tokenHash), ...(await open()) },
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

export type LockedInvite = Prisma.InviteGetPayload<{ select: typeof lockedShape }>

/** Locks the open invites of an address, or the one of that id or token, and answers those that are still open. */
export async function lockOpenInvites(
  { email, inviteId, tokenHash }: { email: string; inviteId?: string; tokenHash?: Buffer },
  tx: Prisma.TransactionClient,
): Promise<LockedInvite[]> {
  const asked = {
    where: {
      ...{ email, ...(await open(tx)) },
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
export async function acceptInvite(id: string, tx: Prisma.TransactionClient): Promise<void> {
  await tx.invite.updateMany({ where: { id }, data: { acceptedAt: await databaseTime(tx) } })
}
