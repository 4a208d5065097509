import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  projectId: true,
  name: true,
  description: true,
  defaultSubscription: true,
  visibility: true,
  optInCount: false,
  optOutCount: false,
  deletedAt: false,
  createdAt: true,
  updatedAt: true,
} as const satisfies Record<Prisma.TopicScalarFieldEnum, boolean>

type Counts = { optInCount: true; optOutCount: true }

export type CountedTopic = Prisma.TopicGetPayload<{ select: Omit<typeof shape, keyof Counts> & Counts }> & {
  effectiveCount: number
}

/**
 * Topics by id, with their counts. Raw, because the counters and the changes that are not folded into them yet
 * (`waiting_counts`) are exact only within one statement.
 */
export async function readTopics(
  projectId: string,
  ids: readonly string[],
  on: Connection = pool(),
): Promise<ReadonlyMap<string, CountedTopic>> {
  const rows = await rowsOf<CountedTopic>(
    on,
    Prisma.sql`SELECT ${Prisma.raw(columnsOf(shape, "t"))},
        t.opt_in_count + w.included AS "optInCount", t.opt_out_count + w.opposed AS "optOutCount",
        CASE t.default_subscription WHEN 'opt_in' THEN coalesce(a.contacts, 0) + c.included - t.opt_out_count - w.opposed
          ELSE t.opt_in_count + w.included END AS "effectiveCount"
      FROM topics t CROSS JOIN LATERAL waiting_counts(t.id) w CROSS JOIN LATERAL waiting_counts(t.project_id) c
        LEFT JOIN audience_totals a ON a.project_id = t.project_id
      WHERE t.project_id = ${projectId}::uuid AND t.id = ANY (${ids}::uuid[]) AND t.deleted_at IS NULL`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
