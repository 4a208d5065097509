import { pool, rowsOf, type Connection } from "@/lib/platform/database/db"
import { Prisma } from "@/prisma/generated/client"

/**
 * How many rows pass, at most `most`, so that it takes no longer where there are millions. On `pg`, because the conditions of a
 * list are composed of text and parameters; they name the project.
 * @param from the tables and their condition, whose parameters are `values`
 */
export async function countUpTo(most: number, from: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${from} LIMIT ${most}) AS counted`,
    [...values],
  )
  return rows[0]?.count ?? 0
}

/** No id comes before it. */
export const firstId = "00000000-0000-0000-0000-000000000000"

type Distinct = {
  /** Of the prepared statement. */
  name: string
  table: string
  /** An index begins with it, over the rows that `where` names. */
  column: string
  where?: string
  /** What must be true of an id, which is `walk.id`. */
  also?: string
  limit: number
}

/**
 * The ids in a column of a table, those of all projects, in their order after `after`. On `pg`, because Prisma cannot skip from
 * id to id through an index: each costs two reads, however many rows it has.
 */
export async function distinctIds(
  after: string,
  { name, table, column, where, also, limit }: Distinct,
): Promise<string[]> {
  const condition = where ? `${where} AND` : ""
  const { rows } = await pool().query<{ id: string }>({
    name,
    text: `WITH RECURSIVE walk AS (
        (SELECT ${column} AS id FROM ${table} WHERE ${condition} ${column} > $1 ORDER BY 1 LIMIT 1)
        UNION ALL
        SELECT (SELECT t.${column} FROM ${table} t WHERE ${condition} t.${column} > walk.id ORDER BY 1 LIMIT 1)
          FROM walk WHERE walk.id IS NOT NULL
      )
      SELECT id FROM walk WHERE id IS NOT NULL ${also ? `AND ${also}` : ""} LIMIT $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

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

type Way = "seqscan" | "hashjoin" | "mergejoin" | "nestloop"

/** Has the planner avoid these ways until the transaction ends. Raw, because Prisma does not set how a statement is planned. */
export async function avoid(ways: readonly Way[], on: Connection): Promise<void> {
  await rowsOf(on, Prisma.sql`SELECT set_config('enable_' || way, 'off', true) FROM unnest(${ways}::text[]) AS way`)
}
