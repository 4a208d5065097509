import { pool } from "@/lib/platform/database/db"
import { firstIdAt } from "@/lib/platform/ids"
import { shown } from "@/lib/platform/database/shape"
import { present } from "@/lib/platform/schema"
import type { InProject } from "@/lib/platform/database/scoped-db"
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

export type Window = { after?: Date; before?: Date }

/** Beyond this many records of a window they are not counted, and not exported. */
export const countedMax = 1_000_000

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** Records of one step of an export: bounds its memory. */
const exportRows = 1_000

/** Requests of a key, newest first, and how many there are in the window. */
export async function listRequests(
  scope: InProject,
  keyId: string,
  window: Window & { limit: number },
): Promise<{ data: ApiKeyUsageRecord[]; total: number }> {
  const bounds = boundsOf(window)
  const [data, total] = await Promise.all([
    readRequests(scope, keyId, { ...bounds, limit: window.limit }),
    countRequests(scope, keyId, window),
  ])
  return { data, total: Math.min(total, countedMax) }
}

/**
 * Requests of a key in a window, newest first, in groups that are read one after the other, so that an export of any length
 * takes little memory.
 */
export async function* eachRequest(
  scope: InProject,
  keyId: string,
  window: Window,
): AsyncGenerator<ApiKeyUsageRecord[]> {
  const { from, until } = boundsOf(window)
  for (let next: string | undefined = until; next;) {
    const records: ApiKeyUsageRecord[] = await readRequests(scope, keyId, { from, until: next, limit: exportRows })
    if (records.length) yield records
    next = records.length < exportRows ? undefined : records.at(-1)?.id
  }
}

type Bounds = { from: string; until: string }

/** Ids carry the time: bounds on them let PostgreSQL skip whole months. `until` is excluded. */
function boundsOf({ after, before }: Window): Bounds {
  return {
    from: firstIdAt(after ?? new Date(0)),
    until: before ? firstIdAt(new Date(before.getTime() + 1)) : lastId,
  }
}

const inWindow = "project_id = $1 AND key_id = $2 AND id >= $3 AND id < $4"

/** How many requests a window has; `max + 1` for any larger number. On `pg`, because Prisma counts without a limit. */
export async function countRequests(
  scope: InProject,
  keyId: string,
  window: Window,
  max = countedMax,
): Promise<number> {
  const { from, until } = boundsOf(window)
  const { rows } = await pool().query<{ total: number }>(
    `SELECT count(*)::int AS total FROM (
        SELECT 1 FROM api_key_requests WHERE ${inWindow} LIMIT $5) counted`,
    [scope.project.id, keyId, from, until, max + 1],
  )
  return rows[0]?.total ?? 0
}

/** On `pg`, because the table is large and partitioned by id. */
async function readRequests(
  scope: InProject,
  keyId: string,
  { from, until, limit }: Bounds & { limit: number },
): Promise<ApiKeyUsageRecord[]> {
  const { rows } = await pool().query<Row>(
    `SELECT id, organization_id AS "organizationId", key_id AS "keyId", method, route, status_code AS "statusCode",
        duration_ms AS "durationMs", ip, created_at AS "createdAt" FROM api_key_requests
      WHERE ${inWindow} ORDER BY id DESC LIMIT $5`,
    [scope.project.id, keyId, from, until, limit],
  )
  return rows.map(toRecord)
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
