import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { firstIdAt } from "@/lib/platform/ids"

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

/** Requests that are read for the time they took, and for where they came from. */
export const latestMax = 1_000

export type Latency = { sample: number; p50Ms: number | null; p95Ms: number | null }

/** How long the latest requests of a key took. Raw, because Prisma has no percentiles. */
export async function latencyOf(scope: InProject, keyId: string): Promise<Latency> {
  const [row] = await db(scope).$queryRaw<Latency[]>`
    SELECT count(duration_ms)::int AS sample, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms))::int AS "p50Ms",
        round(percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms))::int AS "p95Ms"
      FROM (
        SELECT duration_ms FROM api_key_requests WHERE project_id = ${scope.project.id}::uuid AND key_id = ${keyId}::uuid
          ORDER BY id DESC LIMIT ${latestMax}) latest`
  return row ?? { sample: 0, p50Ms: null, p95Ms: null }
}

const addressesMax = 10

/** Where the latest requests of a key since a moment came from, the last address first. Raw, because Prisma cannot group a bounded part. */
export async function addressesOf(scope: InProject, keyId: string, since: Date): Promise<string[]> {
  const rows = await db(scope).$queryRaw<{ ip: string }[]>`
    SELECT ip FROM (
        SELECT id, ip FROM api_key_requests WHERE project_id = ${scope.project.id}::uuid AND key_id = ${keyId}::uuid
          AND id >= ${firstIdAt(since)}::uuid ORDER BY id DESC LIMIT ${latestMax}) latest
      WHERE ip IS NOT NULL GROUP BY ip ORDER BY (array_agg(id ORDER BY id DESC))[1] DESC LIMIT ${addressesMax}`
  return rows.map(({ ip }) => ip)
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
