import { noCounts, type Counter, type Counts } from "@/lib/metrics/rules"
import type { Range } from "@/lib/metrics/window-rules"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

export const everyCounter = {
  ...{ sent: true, delivered: true, bounced: true, complained: true, opened: true, clicked: true, unsubscribed: true },
  ...{ failed: true, delayed: true, readEngaged: true, machineOpens: true, deferred: true, anyOpens: true },
  ...{ refusedOurs: true, htmlOnly: true, clipped: true, unreported: true },
} as const satisfies Record<Counter, true>

/** The counts of one topic's mail in a range. Reads one row an hour, however many emails there were. */
export async function sumTopicHours(scope: Scope, topicId: string, { from, to }: Range): Promise<Counts> {
  const where = { topicId, hour: { gte: from, lt: to } }
  const { _sum: sums } = await db(scope).topicHour.aggregate({ where, _sum: everyCounter })
  return toCounts(sums)
}

/** A sum over no rows is null. */
export function toCounts(sums: Record<Counter, number | null>): Counts {
  const counts = noCounts()
  for (const [name, sum] of Object.entries(sums) as [Counter, number | null][]) counts[name] = sum ?? 0
  return counts
}
