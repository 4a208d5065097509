import { unscoped } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import { bucketSize } from "@/lib/projects/allowance-sql"
import type { Reading } from "@/lib/projects/forecast-rules"

export type QuotaNow = {
  now: Date
  /** Sends of the organization since midnight UTC. */
  used: number
  /** The first mark of the last hour, if it is of today. */
  earlier: Reading | null
  /** The bucket of the project's sends. */
  burst: { size: number; used: number }
}

/**
 * What is used of the allowances now, by the database's clock. Raw, because the day, the hour and the bucket are reckoned on
 * that clock, in one statement.
 */
export async function quotaNow({ project }: Scope): Promise<QuotaNow | null> {
  type Row = { now: Date; used: number; markedAt: Date | null; marked: number | null; size: number; taken: number }
  const [row] = await unscoped().$queryRaw<Row[]>`
    SELECT now()::timestamptz(3) AS now, coalesce(q.used, 0) AS used, m.at AS "markedAt", m.used AS marked, b.size,
        greatest(0, ceil(b.size - a.tokens - greatest(0, extract(epoch FROM now() - a.refilled_at))::float8
          * p.per_second_sends))::int AS taken
      FROM projects p JOIN send_allowances a ON a.project_id = p.id
        CROSS JOIN LATERAL (SELECT ${bucketSize}::int AS size) b
        CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE 'UTC')::date AS day) d
        LEFT JOIN quota_days q ON q.organization_id = p.organization_id AND q.day = d.day
        LEFT JOIN LATERAL (SELECT at, used FROM quota_marks
          WHERE organization_id = p.organization_id
            AND at >= greatest(now() - interval '1 hour', d.day::timestamp AT TIME ZONE 'UTC')
          ORDER BY at LIMIT 1) m ON true
      WHERE p.id = ${project.id}::uuid`
  if (!row) return null
  const { now, used, markedAt, marked, size, taken } = row
  const earlier = markedAt && marked !== null ? { at: markedAt, used: marked } : null
  return { now, used, earlier, burst: { size, used: Math.min(size, taken) } }
}
