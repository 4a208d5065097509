import { lockAllowance, type Allowance } from "@/lib/projects/allowance-sql"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

type Work<T> = (allowance: Allowance, tx: ScopedDb) => Promise<{ cost: number; result: T }>

/**
 * Runs `work` in a transaction that holds the allowance of a project, which then pays the cost. Null where the project does
 * not exist.
 */
export async function withAllowance<T>(projectId: string, work: Work<T>): Promise<T | null> {
  return unscopedTransaction(async (tx) => {
    const allowance = await lockAllowance(projectId, tx)
    if (!allowance) return null
    const scoped = db({ project: { id: projectId } }, tx)
    const { cost, result } = await work(allowance, scoped)
    if (cost > 0) {
      const { organizationId, day, now, tokens } = allowance
      await tx.quotaDay.updateMany({ where: { organizationId, day }, data: { used: { increment: cost } } })
      await scoped.sendAllowance.updateMany({ data: { tokens: tokens - cost, refilledAt: now } })
    }
    return result
  })
}
