import { pool } from "@/lib/platform/database/db"

/** One request made with a key. `route` is the template, never the query. */
export type KeyRequest = {
  id: string
  organizationId: string
  projectId: string
  keyId: string
  method: string
  route: string
  statusCode: number
  /** Of the problem that answered it. */
  problemCode?: string | undefined
  /** Of the notice that its answer carried. */
  notice?: string | null | undefined
  durationMs: number
  ip: string
  /** That the operation took; none where it was refused for want of one. */
  permission: string
  at: Date
}

/**
 * Writes usage records, the last use and count of their keys, their days and hours. On `pg`, because every request ends here and one
 * statement takes any number of them, of all projects.
 */
export async function addRequests(records: KeyRequest[]): Promise<void> {
  const column = <T>(of: (record: KeyRequest) => T) => records.map(of)
  await pool().query(
    `WITH request AS (
      INSERT INTO api_key_requests (id, organization_id, project_id, key_id, method, route, status_code, duration_ms, ip, created_at,
          problem_code, notice)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::int[],
          $9::text[], $10::timestamptz[], $12::text[], $13::text[])
        RETURNING key_id, created_at),
    day AS (
      INSERT INTO api_key_days AS d (project_id, key_id, day, permission, requests, refused, last_at)
        SELECT project_id, key_id, (created_at AT TIME ZONE 'UTC')::date, permission, count(*),
            count(*) FILTER (WHERE status_code >= 400), max(created_at)
          FROM unnest($3::uuid[], $4::uuid[], $7::int[], $10::timestamptz[], $11::text[])
            AS given(project_id, key_id, status_code, created_at, permission)
          GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (project_id, key_id, day, permission) DO UPDATE SET requests = d.requests + EXCLUDED.requests,
          refused = d.refused + EXCLUDED.refused, last_at = greatest(d.last_at, EXCLUDED.last_at)),
    hour AS (
      INSERT INTO api_key_hours AS h (project_id, key_id, hour, requests, refused)
        SELECT project_id, key_id, date_trunc('hour', created_at, 'UTC'), count(*), count(*) FILTER (WHERE status_code >= 400)
          FROM unnest($3::uuid[], $4::uuid[], $7::int[], $10::timestamptz[]) AS given(project_id, key_id, status_code, created_at)
          GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (project_id, key_id, hour) DO UPDATE SET requests = h.requests + EXCLUDED.requests,
          refused = h.refused + EXCLUDED.refused)
    UPDATE api_keys k SET request_count = k.request_count + used.count, last_request_at = greatest(k.last_request_at, used.last)
      FROM (SELECT key_id, count(*)::int AS count, max(created_at) AS last FROM request GROUP BY key_id) used
      WHERE k.id = used.key_id`,
    [
      column((r) => r.id),
      column((r) => r.organizationId),
      column((r) => r.projectId),
      column((r) => r.keyId),
      column((r) => r.method),
      column((r) => r.route),
      column((r) => r.statusCode),
      column((r) => r.durationMs),
      column((r) => r.ip),
      column((r) => r.at),
      column((r) => r.permission),
      column((r) => r.problemCode ?? null),
      column((r) => r.notice ?? null),
    ],
  )
}
