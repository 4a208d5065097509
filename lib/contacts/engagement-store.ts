import { engagementDays, scoreOf, type Engagement } from "@/lib/contacts/rules"
import type { EngagementScore } from "@/lib/contacts/schema"
import { pool } from "@/lib/platform/db"
import { firstIdAt } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/scope"

/** The score that was stored since `since`; null where there is none. */
export async function storedScore(scope: Scope, contactId: string, since: Date): Promise<EngagementScore | null> {
  const { rows } = await pool().query<{ engagement_score: number; engagement_tier: string; scored_at: Date }>(
    `SELECT engagement_score, engagement_tier, scored_at FROM contacts
      WHERE project_id = $1 AND id = $2 AND scored_at >= $3 AND engagement_score IS NOT NULL AND engagement_tier IS NOT NULL`,
    [scope.project.id, contactId, since],
  )
  const [row] = rows
  return row ? { object: "engagement_score", score: row.engagement_score, tier: row.engagement_tier, scoredAt: row.scored_at } : null
}

/** Computes the score of a contact from its mail of the last 90 days and stores it; null for one that never had mail. */
export async function refreshScore(scope: Scope, contactId: string, email: string, now: Date): Promise<EngagementScore | null> {
  if (!(await hasHistory(scope, email))) return null
  const { score, tier } = scoreOf(await engagementOf(scope, email, now))
  await pool().query(
    `UPDATE contacts SET engagement_score = $3, engagement_tier = $4, scored_at = $5 WHERE project_id = $1 AND id = $2`,
    [scope.project.id, contactId, score, tier, now],
  )
  return { object: "engagement_score", score, tier, scoredAt: now }
}

async function hasHistory(scope: Scope, email: string): Promise<boolean> {
  const { rows } = await pool().query<{ known: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM deliveries WHERE project_id = $1 AND canonical = $2
      AND (sent_at IS NOT NULL OR status IN ('bounced', 'complained'))) AS known`,
    [scope.project.id, email],
  )
  return rows[0]?.known ?? false
}

async function engagementOf(scope: Scope, email: string, now: Date): Promise<Engagement> {
  const since = new Date(now.getTime() - engagementDays * 24 * 3600_000)
  type Row = Omit<Engagement, "idleDays"> & { last: Date | null }
  const { rows } = await pool().query<Row>(
    `WITH mails AS (
        SELECT d.id, d.email_id, d.sent_at, d.status FROM deliveries d
          WHERE d.project_id = $1 AND d.canonical = $2 AND d.email_id >= $3
            AND (d.sent_at IS NOT NULL OR d.status IN ('bounced', 'complained'))
          ORDER BY d.email_id DESC LIMIT 1000
      ), told AS (
        SELECT v.delivery_id, v.type, v.occurred_at FROM events v
          WHERE v.project_id = $1 AND v.id >= $3 AND v.email_id = ANY (SELECT email_id FROM mails)
            AND v.type IN ('delivered', 'opened', 'clicked', 'bounced', 'complained')
            AND v.data->>'machine' IS DISTINCT FROM 'true'
      )
      SELECT count(DISTINCT m.id)::int AS sent,
          count(DISTINCT m.id) FILTER (WHERE t.type IN ('delivered', 'opened', 'clicked'))::int AS delivered,
          count(DISTINCT m.id) FILTER (WHERE t.type = 'opened')::int AS opened,
          count(DISTINCT m.id) FILTER (WHERE t.type = 'clicked')::int AS clicked,
          count(DISTINCT m.id) FILTER (WHERE t.type = 'bounced')::int AS bounced,
          count(DISTINCT m.id) FILTER (WHERE t.type = 'complained')::int AS complained,
          max(t.occurred_at) FILTER (WHERE t.type IN ('opened', 'clicked')) AS last
        FROM mails m LEFT JOIN told t ON t.delivery_id = m.id`,
    [scope.project.id, email, firstIdAt(since)],
  )
  const [row] = rows
  if (!row) throw new Error("A count without a row.")
  const { last, ...counts } = row
  return { ...counts, idleDays: last && (now.getTime() - last.getTime()) / (24 * 3600_000) }
}
