import { pool } from "@/lib/platform/database/db"

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
