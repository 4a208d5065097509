import type { Scope } from "@/lib/platform/http/scope"
import { db } from "@/lib/platform/database/scoped-db"

export type TopicCounts = { optInCount: number; optOutCount: number; effectiveCount: number }

export const noCounts: TopicCounts = { optInCount: 0, optOutCount: 0, effectiveCount: 0 }

/**
 * The counts of topics by id. Raw, because the counters and the changes that are not folded into them yet
 * (`waiting_counts`) are exact only within one statement.
 */
export async function countsOf(scope: Scope, ids: string[]): Promise<ReadonlyMap<string, TopicCounts>> {
  const rows = await db(scope).$queryRaw<({ id: string } & TopicCounts)[]>`
    SELECT t.id, t.opt_in_count + w.included AS "optInCount", t.opt_out_count + w.opposed AS "optOutCount",
        CASE t.default_subscription WHEN 'opt_in' THEN coalesce(a.contacts, 0) + c.included - t.opt_out_count - w.opposed
          ELSE t.opt_in_count + w.included END AS "effectiveCount"
      FROM topics t CROSS JOIN LATERAL waiting_counts(t.id) w CROSS JOIN LATERAL waiting_counts(t.project_id) c
        LEFT JOIN audience_totals a ON a.project_id = t.project_id
      WHERE t.project_id = ${scope.project.id}::uuid AND t.id = ANY (${ids}::uuid[])`
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
