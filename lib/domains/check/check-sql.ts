import { pool } from "@/lib/platform/database/db"

/**
 * Claims up to `limit` domains whose check is due, of all projects; they become due again after `leaseSeconds`. On `pg`,
 * because it serves all projects and Prisma has no SKIP LOCKED.
 */
export async function claimDue(limit: number, leaseSeconds: number): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `WITH due AS (
        SELECT id FROM domains WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      UPDATE domains SET due_at = now() + make_interval(secs => $2) WHERE id IN (SELECT id FROM due) RETURNING id`,
    [limit, leaseSeconds],
  )
  return rows.map(({ id }) => id)
}
