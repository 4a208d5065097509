import { addEvents } from "@/lib/emails/events/data"
import { cancelRows } from "@/lib/emails/schedule/data"
import { emailExists } from "@/lib/emails/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

/** Cancels a scheduled email: false if its time has come or it was never scheduled, null if it does not exist. */
export async function cancelOne(scope: Scope, emailId: string): Promise<boolean | null> {
  if ((await cancelScheduled(scope, [emailId])) === 1) return true
  return (await emailExists(scope, emailId)) ? false : null
}

/** Cancels those of these emails that are scheduled; the statuses of the others, as far as the project has them. */
export async function cancelThese(
  scope: Scope,
  emailIds: string[],
): Promise<{ cancelled: Set<string>; statuses: Map<string, string> }> {
  const cancelled = new Set(await cancel(scope, emailIds))
  const others = await db(scope).email.findMany({
    where: { id: { in: emailIds.filter((id) => !cancelled.has(id)) } },
    select: { id: true, status: true },
  })
  return { cancelled, statuses: new Map(others.map(({ id, status }) => [id, status])) }
}

/** Cancels up to 1,000 scheduled emails, all or those of these ids; how many. */
export async function cancelScheduled(scope: Scope, emailIds: string[] | null = null): Promise<number> {
  return (await cancel(scope, emailIds)).length
}

async function cancel(scope: Scope, emailIds: string[] | null): Promise<string[]> {
  return db(scope).$transaction(async (tx) => {
    const now = await databaseTime(tx)
    const rows = await cancelRows(scope, emailIds, now, tx)
    if (!rows.length) return []
    await tx.delivery.updateMany({
      where: { emailId: { in: rows.map(({ id }) => id) }, status: "scheduled" },
      data: { status: "cancelled", dueAt: null, endedAt: now, updatedAt: now },
    })
    const events = rows.map(({ id, subject, toHeaders }) => ({
      emailId: id,
      type: "cancelled",
      data: { to: toHeaders.join(", "), subject },
    }))
    await addEvents(scope, events, tx)
    return rows.map(({ id }) => id)
  })
}
