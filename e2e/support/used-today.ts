import { pool } from "@/lib/platform/database/db"

/** Messages that an organization has sent of its days, without what is set aside for accepts that meet. */
export async function usedToday({ organizationId }: { organizationId: string }): Promise<number> {
  const { rows } = await pool().query(
    `SELECT (coalesce((SELECT sum(used) FROM quota_days WHERE organization_id = $1), 0)
        - coalesce((SELECT sum(messages) FROM allowance_chunks WHERE organization_id = $1), 0))::int AS n`,
    [organizationId],
  )
  return rows[0].n
}
