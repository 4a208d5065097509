import { databaseTime } from "@/lib/platform/database/clock-sql"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { newId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

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

export type NewUser = { email: string; name?: string; passwordHash?: string; proven: boolean }

/** Adds a user; null when the address has one. */
export async function insertUser({ proven, ...user }: NewUser, tx: Tx): Promise<string | null> {
  const id = newId()
  const data = { ...user, id, emailProvenAt: proven ? await databaseTime(tx) : null }
  const { count } = await tx.user.createMany({ data, skipDuplicates: true })
  return count ? id : null
}

/** Makes a user run the installation, or no longer; false when nothing changes by it. */
export async function setOperator(userId: string, operator: boolean, tx: Tx): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, operatorSince: operator ? null : { not: null } },
    data: { operatorSince: operator ? await databaseTime(tx) : null },
  })
  return count > 0
}

const organizationsMax = 1_000

/** Ids of the organizations that a user is a member of. */
export async function organizationsOfUser(userId: string, tx: Tx): Promise<string[]> {
  const members = await tx.member.findMany({
    where: { userId },
    select: { organizationId: true },
    take: organizationsMax,
  })
  return members.map(({ organizationId }) => organizationId)
}

/** Users who run the installation. */
export function countOperators(tx: Tx): Promise<number> {
  return tx.user.count({ where: { operatorSince: { not: null } } })
}

/** Marks the address as proven and removes the password. */
export async function markProven(userId: string, tx: Tx): Promise<void> {
  const data = { emailProvenAt: await databaseTime(tx), passwordHash: null }
  await tx.user.updateMany({ where: { id: userId }, data })
}
