import type { HeldImport } from "@/lib/contacts/imports/write-sql"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"

/**
 * Ends a held import: completed, or failed with the reason. A completed dry run keeps its file; true when the file is to be
 * removed.
 */
export async function endImport(held: HeldImport, failure: string | null): Promise<boolean> {
  const { id, attempt, dryRun } = held
  const scope = { project: { id: held.projectId } }
  return db(scope).$transaction(async (tx) => {
    await lockRow({ of: scope, table: "imports" }, id, tx)
    const row = await tx.import.findUnique({
      where: { id, attempt },
      select: { status: true, bytes: true, endedAt: true },
    })
    if (!row) return false
    const ran = row.status === "running"
    const isCompleted = ran && failure === null
    const keepsFile = isCompleted && dryRun
    await tx.import.updateMany({
      where: { id },
      data: {
        ...{ dueAt: null, failure, endedAt: row.endedAt ?? (await databaseTime(tx)) },
        ...(ran && { status: isCompleted ? "completed" : "failed" }),
        ...(isCompleted && { bytesRead: row.bytes }),
        ...(!keepsFile && { objectKey: null }),
      },
    })
    return !keepsFile
  })
}

/** Releases an import, due at once; a shutdown does not count as a failed attempt. */
export async function releaseImport(held: HeldImport): Promise<void> {
  await postpone(held, { firstMs: 0, stalledMax: 0, uncounted: 1 })
}

/** Postpones an import that failed without progress: twice as long each time, but the last attempt follows at once. */
export async function postponeImport(
  held: HeldImport,
  { firstMs, stalledMax }: { firstMs: number; stalledMax: number },
): Promise<void> {
  await postpone(held, { firstMs, stalledMax, uncounted: 0 })
}

/** Ends the lease of an import if this worker still holds it. */
async function postpone(
  { projectId, id, attempt }: HeldImport,
  { firstMs, stalledMax, uncounted }: { firstMs: number; stalledMax: number; uncounted: number },
): Promise<void> {
  const within = db({ project: { id: projectId } })
  const row = await within.import.findUnique({ where: { id, attempt }, select: { stalled: true } })
  if (!row) return
  const waitMs = row.stalled < stalledMax ? firstMs * 2 ** Math.max(row.stalled - 1, 0) : 0
  await within.import.updateMany({
    where: { id, attempt, dueAt: { not: null } },
    data: {
      stalled: Math.max(row.stalled - uncounted, 0),
      dueAt: secondsAfter(await databaseTime(within), waitMs / 1_000),
    },
  })
}
