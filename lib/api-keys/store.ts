import type { NewKey } from "@/lib/access/keys"
import { pool, type Queryable } from "@/lib/platform/db"
import { newId } from "@/lib/platform/ids"

/** One request made with a key. `route` is the template, never the query. */
export type KeyRequest = {
  id: string
  organizationId: string
  projectId: string
  keyId: string
  method: string
  route: string
  statusCode: number
  durationMs: number
  ip: string
  at: Date
}

/** Writes usage records, and the last use and count of their keys, in two statements for any number of them. */
export async function addRequests(records: KeyRequest[]): Promise<void> {
  const column = <T>(of: (record: KeyRequest) => T) => records.map(of)
  await pool().query(
    `WITH request AS (
      INSERT INTO api_key_requests (id, organization_id, project_id, key_id, method, route, status_code, duration_ms, ip, created_at)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::int[],
          $9::text[], $10::timestamptz[])
        RETURNING key_id, created_at)
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
    ],
  )
}

export type KeyPlan = { projectId: string; name?: string; permissions: readonly string[]; expiresAt?: Date; createdBy?: string }

/** Stores a key by its hash; the secret itself is never kept. */
export async function addKey(plan: KeyPlan, key: NewKey, on: Queryable = pool()): Promise<string> {
  const id = newId()
  await on.query(
    `INSERT INTO api_keys (id, project_id, name, hash, start, permissions, expires_at, created_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, plan.projectId, plan.name ?? null, key.hash, key.start, plan.permissions, plan.expiresAt ?? null, plan.createdBy ?? null],
  )
  return id
}
