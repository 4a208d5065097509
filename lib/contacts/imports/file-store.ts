import { hourMs } from "@/lib/platform/time"
import { openStatuses, storedOptions, waitingFiles, type Options } from "@/lib/contacts/imports/rules"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import type { Scope } from "@/lib/platform/http/scope"
import type { Prisma } from "@/prisma/generated/client"

/** Whose files leave no room for another. */
export type FilesFull = "project" | "installation"

/** Which limit on waiting files, the project's or the total, a file of this size would exceed; null if none. */
export async function filesFull(
  scope: Scope,
  bytes: number,
  on: Prisma.TransactionClient = unscoped(),
): Promise<FilesFull | null> {
  const waiting = { where: { objectKey: { not: null } }, _count: true, _sum: { bytes: true } } as const
  const own = await db(scope, on).import.aggregate(waiting)
  const all = await on.import.aggregate(waiting)
  const { projectCount, projectBytes, totalCount, totalBytes } = waitingFiles
  if (own._count >= projectCount || Number(own._sum.bytes) + bytes > projectBytes) return "project"
  return all._count >= totalCount || Number(all._sum.bytes) + bytes > totalBytes ? "installation" : null
}

type CheckedFile = { key: string; bytes: number; options: Options }

/** Takes the file from a completed dry run, unless that ended longer ago; null where there is none. */
export async function takeCheckedFile(
  scope: Scope,
  id: string,
  { maxAgeHours }: { maxAgeHours?: number } = {},
  on: ScopedDb = db(scope),
): Promise<CheckedFile | null> {
  const since = maxAgeHours === undefined ? null : new Date((await databaseTime(on)).getTime() - maxAgeHours * hourMs)
  const found = await on.import.findUnique({
    where: { id, status: "completed", ...(since && { endedAt: { gt: since } }) },
    select: { objectKey: true, bytes: true, options: true },
  })
  if (!found?.objectKey) return null
  // Of several callers at once, only one still finds the key.
  const taken = await on.import.updateMany({ where: { id, objectKey: found.objectKey }, data: { objectKey: null } })
  if (!taken.count) return null
  return { key: found.objectKey, bytes: Number(found.bytes), options: storedOptions(found.options) }
}

/** Ends an import that has not ended; what it has written stays. */
export async function endAsCancelled(scope: Scope, id: string): Promise<void> {
  const now = await databaseTime()
  await db(scope).import.updateMany({
    where: { id, status: { in: [...openStatuses] } },
    data: { status: "cancelled", endedAt: now, dueAt: now },
  })
}
