import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import type { Prisma } from "@/prisma/generated/client"

/** Records that the user has just confirmed their identity. */
export async function markConfirmed(sessionId: string): Promise<void> {
  await unscoped().session.updateMany({ where: { id: sessionId }, data: { confirmedAt: await databaseTime() } })
}

type Which = { id: string } | { userId: string; id?: { not: string } }

/** Ends one session, or those of a user: within 1 s in every process. */
export async function revokeSessions(which: Which, on: Prisma.TransactionClient = unscoped()): Promise<void> {
  await on.session.updateMany({ where: { ...which, revokedAt: null }, data: { revokedAt: await databaseTime(on) } })
}
