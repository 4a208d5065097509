import { addPersonAudit } from "@/lib/access/audit-store"
import { revokeSessions } from "@/lib/access/credentials/session-store"
import { lockUser, markProven } from "@/lib/access/people/user-store"
import { queueSystemMail } from "@/lib/access/system-mail/store"
import { systemMailExpiresAfterMs, systemRelay } from "@/lib/access/system-mail/system-mail"
import { encodeId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

/** How an address was proven: by a link sent to it, or by a provider that verified it. */
export type Proof = { by: "link" | "github" | "google"; ip: string }

/**
 * Records that the account's address is its user's. The first time, every earlier way into the account is removed: it may
 * have been set up by someone else who saw the link of an invite.
 */
export async function proveAddress(userId: string, { by, ip }: Proof, tx: Tx): Promise<void> {
  const user = await lockUser(userId, tx)
  if (!user || user.proven) return
  const { email, hasPassword } = user
  await markProven(userId, tx)
  await tx.identity.deleteMany({ where: { userId } })
  await tx.signInLink.deleteMany({ where: { OR: [{ userId }, { email }] } })
  await revokeSessions({ userId }, tx)
  await addToAudit(userId, { by, ip, passwordRemoved: hasPassword }, tx)
  if (hasPassword && systemRelay())
    await queueSystemMail({ kind: "password-removed", to: email }, new Date(Date.now() + systemMailExpiresAfterMs), tx)
}

async function addToAudit(userId: string, { ip, ...changes }: Proof & { passwordRemoved: boolean }, tx: Tx) {
  const memberships = await tx.member.findMany({ where: { userId }, select: { organizationId: true } })
  const entry = { action: "member.address_proven", target: encodeId("usr", userId), changes }
  for (const { organizationId } of memberships) await addPersonAudit({ organizationId, userId, ip }, entry, tx)
}
