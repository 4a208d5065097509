import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { Prisma } from "@/prisma/generated/client"

/** Rows that are read for the time they took. */
export const latestMax = 1_000

/** `sample` is how many of them have a time. */
export type Latency = { sample: number; p50Ms: number | null; p95Ms: number | null }

/**
 * How long the latest of these rows took. Raw, because Prisma has no percentiles; `from`, a table and its condition, names the
 * project.
 * @param ms the milliseconds of a row, NULL where they do not count
 */
export async function latencyOf(ms: Prisma.Sql, from: Prisma.Sql, on: Connection): Promise<Latency> {
  const [row] = await rowsOf<Latency>(
    on,
    Prisma.sql`SELECT count(ms)::int AS sample, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms))::int AS "p50Ms",
        round(percentile_cont(0.95) WITHIN GROUP (ORDER BY ms))::int AS "p95Ms"
      FROM (SELECT ${ms} AS ms FROM ${from} ORDER BY id DESC LIMIT ${latestMax}) latest`,
  )
  return row ?? { sample: 0, p50Ms: null, p95Ms: null }
}
