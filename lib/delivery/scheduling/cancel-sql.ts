import { addEvents, cancelRows } from "@/lib/emails/scheduled-sql"
import { emailExists } from "@/lib/emails/store"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import type { Scope } from "@/lib/platform/http/scope"

/** Cancels a scheduled email: false if its time has come or it was never scheduled, null if it does not exist. */
export async function cancelOne(scope: Scope, emailId: string): Promise<boolean | null> {
  if ((await cancelScheduled(scope, emailId)) === 1) return true
  return (await emailExists(scope, emailId)) ? false : null
}

/** Cancels up to 1,000 scheduled emails, all or the one of this id; how many. */
export async function cancelScheduled(scope: Scope, emailId: string | null = null): Promise<number> {
  return db(scope).$transaction(async (tx) => {
    const rows = await cancelRows(scope, emailId, tx)
    if (!rows.length) return 0
    await cancelDeliveries(
      scope,
      rows.map(({ id }) => id),
      tx,
    )
    const events = rows.map(({ id, subject, toHeaders }) => ({
      emailId: id,
      data: { to: toHeaders.join(", "), subject },
    }))
    await addEvents(scope, "cancelled", events, tx)
    return rows.length
  })
}

/** Cancels the scheduled deliveries of these emails. Raw, because Prisma cannot write the database's time. */
async function cancelDeliveries(scope: Scope, emailIds: readonly string[], tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE deliveries SET status = 'cancelled', due_at = NULL, ended_at = now(), updated_at = now()
      WHERE project_id = ${scope.project.id}::uuid AND email_id = ANY (${emailIds}::uuid[]) AND status = 'scheduled'`
}
