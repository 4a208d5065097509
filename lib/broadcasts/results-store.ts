import type { Counts } from "@/lib/metrics/rules"
import { everyCounter, toCounts } from "@/lib/metrics/store"
import { db, type InProject } from "@/lib/platform/database/scoped-db"

/** What became of the emails of these broadcasts, by id; who has no email with a response yet is absent. Reads a row a day. */
export async function resultsOf(scope: InProject, ids: readonly string[]): Promise<Map<string, Counts>> {
  if (!ids.length) return new Map()
  const rows = await db(scope).metricSlice.groupBy({
    by: ["key"],
    where: { dimension: "broadcast", grain: "day", key: { in: [...ids] } },
    _sum: everyCounter,
  })
  return new Map(rows.map(({ key, _sum }) => [key, toCounts(_sum)]))
}
