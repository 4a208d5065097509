import { pool } from "@/lib/platform/database/db"
import { firstIdAt } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { seqOf } from "@/lib/stream/event-sql"
import { streamedTypes, type RecentEventCounts } from "@/lib/stream/schema"

/** Events that are read, of all types: some thirty milliseconds. */
export const countedMax = 20_000

type Row = Pick<RecentEventCounts, "since"> & {
  last: string | null
  at: Date | null
  type: RecentEventCounts["data"][number]["type"]
  count: number
}

/**
 * Streamed events since a time, by two minutes and type. The index is read from the end of the public order back to the first
 * event of that time, or to the limit: then `since` is the time at which the last one read was written, because an event is
 * never written before it occurs. Raw, because Prisma does not group by expressions, and on `pg`, as the stream's other reads.
 */
export async function countEventsSince(scope: Scope, time: Date): Promise<Omit<RecentEventCounts, "until">> {
  const { rows } = await pool().query<Row>(
    `WITH newest AS MATERIALIZED (
        SELECT id, seq, type, email_id, occurred_at, created_at FROM events
          WHERE project_id = $1 AND seq > $2 ORDER BY seq DESC LIMIT ${countedMax}
      ), bounds AS MATERIALIZED (
        SELECT greatest($3::timestamptz, (SELECT created_at FROM newest ORDER BY seq DESC OFFSET ${countedMax - 1})) AS since,
          (SELECT id FROM newest WHERE type = ANY ($4) AND email_id IS NOT NULL ORDER BY seq DESC LIMIT 1) AS last
      )
      SELECT since, last, date_bin('2 minutes', occurred_at, 'epoch') AS at, type, count(*)::int AS count
        FROM bounds LEFT JOIN newest ON occurred_at >= since AND type = ANY ($4) AND email_id IS NOT NULL
        GROUP BY since, last, at, type ORDER BY at, type`,
    [scope.project.id, await seqOf(scope.project.id, firstIdAt(time)), time, streamedTypes],
  )
  return {
    since: rows[0]?.since ?? time,
    ...(rows[0]?.last && { last: rows[0].last }),
    data: rows.flatMap(({ at, type, count }) => (at === null ? [] : { at, type, count })),
  }
}
