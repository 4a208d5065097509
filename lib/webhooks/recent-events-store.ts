import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { webhookTypeOf, type SourceEvent } from "@/lib/webhooks/payload"

/** Events that are searched for some of the wanted types: a bound, however many events a project has. */
const searchedMax = 500
const perTypeMax = 3

/** The newest dispatched events of these types among the last 500 of the project: up to three of each type, newest first. */
export async function recentEvents(scope: Scope, types: ReadonlySet<string>): Promise<SourceEvent[]> {
  const rows = await db(scope).event.findMany({
    where: { seq: { not: null } },
    orderBy: { seq: "desc" },
    take: searchedMax,
    select: { id: true, projectId: true, emailId: true, type: true, data: true, occurredAt: true },
  })
  const counts = new Map<string, number>()
  return rows.flatMap((row) => {
    const event = { ...row, data: row.data as SourceEvent["data"] }
    const type = webhookTypeOf(event)
    if (!type || !types.has(type)) return []
    const count = (counts.get(type) ?? 0) + 1
    counts.set(type, count)
    return count <= perTypeMax ? [event] : []
  })
}
