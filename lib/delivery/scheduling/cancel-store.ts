import { addEvents } from "@/lib/emails/event-store"
import { cancelRows } from "@/lib/emails/scheduled-sql"
import { emailExists } from "@/lib/emails/store"
import { db } from "@/lib/platform/database/scoped-db"
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
    const [first] = rows
    if (!first) return 0
    const { cancelledAt } = first
    await tx.delivery.updateMany({
      where: { emailId: { in: rows.map(({ id }) => id) }, status: "scheduled" },
      data: { status: "cancelled", dueAt: null, endedAt: cancelledAt, updatedAt: cancelledAt },
    })
    const events = rows.map(({ id, subject, toHeaders }) => ({
      emailId: id,
      type: "cancelled",
      data: { to: toHeaders.join(", "), subject },
    }))
    await addEvents(scope, events, tx)
    return rows.length
  })
}
