import { pool } from "@/lib/platform/database/db"

/**
 * Adds up to `limit` noted changes of stored bytes to the allowances of their projects; returns how many. On `pg`: it is a
 * database function, for all projects.
 */
export async function foldStoredBytes(limit: number): Promise<number> {
  const { rows } = await pool().query<{ taken: number }>("SELECT fold_stored_bytes($1) AS taken", [limit])
  return rows[0]?.taken ?? 0
}
