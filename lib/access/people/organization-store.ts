import { insertUser } from "@/lib/access/people/user-store"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

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
