import { db, type InProject } from "@/lib/platform/database/scoped-db"

export type UsageDay = { day: string; requests: number; refused: number }

/** The last 30 days of a key, oldest first. Raw, because days without requests are none of the table's rows. */
export async function usageDays(scope: InProject, keyId: string): Promise<UsageDay[]> {
  return db(scope).$queryRaw<UsageDay[]>`
    SELECT to_char(series.at, 'YYYY-MM-DD') AS day, coalesce(sum(d.requests), 0)::int AS requests,
        coalesce(sum(d.refused), 0)::int AS refused
      FROM generate_series((now() AT TIME ZONE 'UTC')::date - 29, (now() AT TIME ZONE 'UTC')::date, '1 day') AS series(at)
      LEFT JOIN api_key_days d ON d.project_id = ${scope.project.id}::uuid AND d.key_id = ${keyId}::uuid AND d.day = series.at::date
      GROUP BY series.at ORDER BY series.at`
}

export type UsedPermission = { permission: string; requests: number; lastUsedAt: Date }

/** What a key used its permissions for in 90 days, and how often in 30. Raw, for the sum with a condition. */
export async function usedPermissions(scope: InProject, keyId: string): Promise<UsedPermission[]> {
  return db(scope).$queryRaw<UsedPermission[]>`
    SELECT permission, coalesce(sum(requests) FILTER (WHERE day > (now() AT TIME ZONE 'UTC')::date - 30), 0)::int AS requests,
        max(last_at) AS "lastUsedAt"
      FROM api_key_days
      WHERE project_id = ${scope.project.id}::uuid AND key_id = ${keyId}::uuid AND permission <> ''
      GROUP BY permission ORDER BY max(last_at) DESC`
}
