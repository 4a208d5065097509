import { unscoped } from "@/lib/platform/database/db"

/** An organization to notify about its use of today's quota, and the project to link to. */
export type QuotaCrossing = {
  organizationId: string
  organization: string
  projectId: string
  project: string
  /** 80 or 100. */
  percent: number
  used: number
  daily: number
  ceiling: number
  day: Date
  resetsAt: Date
}

/**
 * Up to `limit` organizations that have crossed 80 or 100 percent today and were told nothing of it. Of one that has crossed
 * both since the last pass only the quota's end is news, and one without an active project is not told. It locks nothing
 * that sends wait for. Raw, because Prisma compares no column with that of another table.
 */
export async function quotaCrossings(limit: number): Promise<QuotaCrossing[]> {
  return unscoped().$queryRaw<QuotaCrossing[]>`
    SELECT q.organization_id AS "organizationId", o.name AS organization, p.id AS "projectId", p.name AS project, c.percent,
        q.used, o.daily_sends AS daily, o.daily_sends_ceiling AS ceiling, q.day,
        ((q.day + 1)::timestamp AT TIME ZONE 'UTC')::timestamptz(3) AS "resetsAt"
      FROM quota_days q
      JOIN organizations o ON o.id = q.organization_id
      CROSS JOIN LATERAL (SELECT CASE WHEN q.used >= o.daily_sends THEN 100 ELSE 80 END AS percent) c
      CROSS JOIN LATERAL (
        SELECT id, name FROM projects
          WHERE organization_id = q.organization_id AND suspended_at IS NULL AND deleted_at IS NULL ORDER BY id LIMIT 1) p
      WHERE q.day = (now() AT TIME ZONE 'UTC')::date AND q.used > 0 AND q.used >= 0.8 * o.daily_sends
        AND NOT EXISTS (SELECT FROM quota_notices n
          WHERE n.day = q.day AND n.organization_id = q.organization_id AND n.percent >= c.percent)
      LIMIT ${limit}::int`
}
