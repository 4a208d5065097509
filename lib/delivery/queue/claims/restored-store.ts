import { db } from "@/lib/platform/database/scoped-db"

/** In place of a claim: the delivery waited in a backup, and may have been sent after that by the installation that was lost. */
export const beforeRestore = 0

/** Counts the deliveries of a project that wait, without those scheduled for later, and `marks` them as in doubt. */
export async function doubtWaiting(projectId: string, { marks }: { marks: boolean }): Promise<number> {
  const deliveries = db({ project: { id: projectId } }).delivery
  const where = {
    status: { in: ["scheduled", "queued", "sending", "delivery_delayed"] },
    email: { OR: [{ scheduledAt: null }, { scheduledAt: { lte: new Date() } }] },
  }
  if (!marks) return deliveries.count({ where })
  return (await deliveries.updateMany({ where, data: { dataAttempt: beforeRestore } })).count
}
