import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/** Gives scheduled emails the status with which they leave the schedule at `now`, the time of the transaction. */
export async function endSchedule(
  ids: readonly string[],
  { status, error = null }: { status: "queued" | "suppressed" | "failed"; error?: string | null },
  now: Date,
  tx: ScopedDb,
): Promise<void> {
  if (ids.length === 0) return
  await tx.email.updateMany({
    where: { id: { in: [...ids] } },
    data: { status, error, dueAt: null, updatedAt: now },
  })
}

/** Has scheduled emails wait until another time; the reason is shown as their error. */
export async function postpone(
  ids: readonly string[],
  { until, reason }: { until: Date; reason: string },
  now: Date,
  tx: ScopedDb,
): Promise<void> {
  await tx.email.updateMany({
    where: { id: { in: [...ids] } },
    data: { dueAt: until, error: reason, updatedAt: now },
  })
}
