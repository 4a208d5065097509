import { pool } from "@/lib/platform/database/db"
import { firstIdAt } from "@/lib/platform/ids"
import { shown } from "@/lib/platform/database/shape"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import type { ApiKeyUsageRecord } from "@/lib/api-keys/schema"
import type { ApiKeyRequest } from "@/prisma/generated/client"

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

/**
 * Writes usage records, and the last use and count of their keys. On `pg`, because every request ends here and one
 * statement takes any number of them, of all projects.
 */
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

export type Window = { after?: Date; before?: Date; limit: number }

/** Beyond this many records in a window nobody is told how many more there are. */
const countedMax = 1_000_000

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/**
 * Requests of a key, newest first, and how many there are in the window. On `pg`, because the table is large and
 * partitioned by id.
 */
export async function listRequests(
  scope: Scope,
  keyId: string,
  window: Window,
): Promise<{ data: ApiKeyUsageRecord[]; total: number }> {
  // Ids carry the time: bounds on them let PostgreSQL skip whole months.
  const from = firstIdAt(window.after ?? new Date(0))
  const until = window.before ? firstIdAt(new Date(window.before.getTime() + 1)) : lastId
  const where = "project_id = $1 AND key_id = $2 AND id >= $3 AND id < $4"
  const bounds = [scope.project.id, keyId, from, until]
  const [records, counted] = await Promise.all([
    pool().query<Row>(
      `SELECT id, organization_id AS "organizationId", key_id AS "keyId", method, route, status_code AS "statusCode",
          duration_ms AS "durationMs", ip, created_at AS "createdAt" FROM api_key_requests
        WHERE ${where} ORDER BY id DESC LIMIT $5`,
      [...bounds, window.limit],
    ),
    pool().query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (SELECT 1 FROM api_key_requests WHERE ${where} LIMIT ${countedMax}) counted`,
      bounds,
    ),
  ])
  return { data: records.rows.map(toRecord), total: counted.rows[0]?.total ?? 0 }
}

/** The columns of a record, as the list aliases them. */
type Row = Omit<ApiKeyRequest, "projectId">

function toRecord({ organizationId, createdAt, ...row }: Row): ApiKeyUsageRecord {
  return shown<ApiKeyUsageRecord>()({
    ...row,
    orgId: organizationId,
    durationMs: present(row.durationMs),
    ip: present(row.ip),
    ts: createdAt,
  })
}
