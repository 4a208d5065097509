import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

/** How much of its limits a project uses now. */
export async function usedOf(
  scope: Scope,
): Promise<{ dailySends: number; maxDomains: number; maxApiKeys: number; maxWebhooks: number }> {
  type Row = { daily: number; domains: number; keys: number; webhooks: number }
  const { rows } = await pool().query<Row>(
    `SELECT coalesce((SELECT used FROM quota_days WHERE organization_id = $2 AND day = (now() AT TIME ZONE 'UTC')::date), 0) AS daily,
      (SELECT count(*)::int FROM domains WHERE project_id = $1) AS domains,
      (SELECT count(*)::int FROM api_keys WHERE project_id = $1 AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())) AS keys,
      (SELECT count(*)::int FROM webhooks WHERE project_id = $1) AS webhooks`,
    [scope.project.id, scope.project.organizationId],
  )
  const [row] = rows
  return {
    dailySends: row?.daily ?? 0,
    maxDomains: row?.domains ?? 0,
    maxApiKeys: row?.keys ?? 0,
    maxWebhooks: row?.webhooks ?? 0,
  }
}
