import { pool } from "@/lib/platform/database/db"

/** Adds what waits to the kept counts of segments, topics and projects; answers how many differences it took. */
export async function foldCounts(limit: number): Promise<number> {
  const { rows } = await pool().query<{ taken: number }>("SELECT fold_counts($1) AS taken", [limit])
  return rows[0]?.taken ?? 0
}
