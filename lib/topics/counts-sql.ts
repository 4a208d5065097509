import { rowsOf } from "@/lib/platform/database/connection"
import { pool } from "@/lib/platform/database/db"
import { Prisma } from "@/prisma/generated/client"

export type TopicCounts = Pick<Prisma.TopicGetPayload<object>, "optInCount" | "optOutCount"> & {
  effectiveCount: number
}

export const noCounts: TopicCounts = { optInCount: 0, optOutCount: 0, effectiveCount: 0 }

/**
 * The counts of topics by id. Raw, because the counters and the changes that are not folded into them yet
 * (`waiting_counts`) are exact only within one statement.
 */
export async function countsOf(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, TopicCounts>> {
  const rows = await rowsOf<{ id: string } & TopicCounts>(
    pool(),
    Prisma.sql`SELECT t.id, t.opt_in_count + w.included AS "optInCount", t.opt_out_count + w.opposed AS "optOutCount",
        CASE t.default_subscription WHEN 'opt_in' THEN coalesce(a.contacts, 0) + c.included - t.opt_out_count - w.opposed
          ELSE t.opt_in_count + w.included END AS "effectiveCount"
      FROM topics t CROSS JOIN LATERAL waiting_counts(t.id) w CROSS JOIN LATERAL waiting_counts(t.project_id) c
        LEFT JOIN audience_totals a ON a.project_id = t.project_id
      WHERE t.project_id = ${projectId}::uuid AND t.id = ANY (${ids}::uuid[])`,
  )
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
