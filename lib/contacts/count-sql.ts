import { pool } from "@/lib/platform/database/db"

/**
 * Adds up to `limit` waiting differences to the counts of segments, topics and projects; returns how many. On `pg`: it is a
 * database function, for all projects.
 */
export async function foldCounts(limit: number): Promise<number> {
  const { rows } = await pool().query<{ taken: number }>("SELECT fold_counts($1) AS taken", [limit])
  return rows[0]?.taken ?? 0
}
