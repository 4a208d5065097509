import { counters, type Counts, type Granularity } from "@/lib/metrics/rules"
import { pool } from "@/lib/platform/database/db"
import { columnOf } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"

const sums = counters.map((name) => `sum(${columnOf(name)})::int AS "${name}"`).join(", ")

/**
 * The counts of a project by UTC hour or day, keyed by its first instant in milliseconds; what has none is absent. On
 * `pg`, because Prisma groups by columns alone, not by the day of an hour.
 */
export async function countsByBucket(
  scope: Scope,
  from: Date,
  to: Date,
  granularity: Granularity,
): Promise<Map<number, Counts>> {
  const { rows } = await pool().query<Counts & { bucket: Date }>({
    name: "metrics.counts_by_bucket",
    text: `SELECT date_trunc($4, hour, 'UTC') AS bucket, ${sums}
      FROM metric_hours WHERE project_id = $1 AND hour >= $2 AND hour <= $3 GROUP BY 1`,
    values: [scope.project.id, from, to, granularity],
  })
  return new Map(rows.map(({ bucket, ...counts }) => [bucket.getTime(), counts]))
}
