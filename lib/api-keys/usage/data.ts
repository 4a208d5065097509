import type { ApiKeyUsageRecord } from "@/lib/api-keys/schema"
import type { RequestDetail, RequestRecord } from "@/lib/api-keys/usage/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { pool } from "@/lib/platform/database/db"
import { type Latency, latencyOf, latestMax } from "@/lib/platform/database/bounded-reads-sql"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { lastHours, rowsOfHours, dayMs } from "@/lib/platform/time"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { firstIdAt, instantOf } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { escapeLike } from "@/lib/platform/format"
import { Prisma } from "@/prisma/generated/client"

const loggedShape = {
  ...{ id: true, organizationId: false, projectId: false, keyId: true, method: true, route: true, statusCode: true },
  ...{ durationMs: true, ip: true, createdAt: false, problemCode: true, notice: true },
  // On the page of a request alone.
  ...{ problemDetail: false, problemFields: false, userAgent: false, idempotencyKey: false, objectIds: false },
} as const satisfies Record<Prisma.ApiKeyRequestScalarFieldEnum, boolean>

type LoggedRow = Prisma.ApiKeyRequestGetPayload<{ select: typeof loggedShape }>

export type RequestFilter = {
  key?: string | undefined
  method?: string | undefined
  route?: string | undefined
  status?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** Public id of what the request made, and the time in that id. */
  made?: { id: string; at: Date } | undefined
}

/** A request is logged under the moment of its arrival, and what it makes has an id of a moment later. */
const madeWithinMs = 2 * 60 * 1000
/** By which the clocks of our hosts may differ. */
const clockSkewMs = 2_000

/** Records that one page reads at most, so that a rare filter ends in time; the next page continues behind them. */
export const windowMax = 20_000

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** Requests of the project before an id, newest first, and the id from which to read on, if there may be more. */
export async function requestsBefore(
  scope: InProject,
  { key, method, route, status, made, ...window }: RequestFilter,
  before: string | null,
  size: number,
): Promise<{ rows: RequestRecord[]; next: string | null }> {
  const { from, to } = made ? windowOf(made.at) : window
  const upper = before ?? (to ? firstIdAt(new Date(to.getTime() + 1)) : lastId)
  const lower = firstIdAt(from ?? new Date(0))
  const ofKey = key === undefined ? {} : { keyId: key }
  // The record that ends the window, if there are as many.
  const last = await db(scope).apiKeyRequest.findFirst({
    where: { ...ofKey, id: { lt: upper, gte: lower } },
    select: { id: true },
    orderBy: { id: "desc" },
    skip: windowMax - 1,
  })
  const [least, most] = statusRange(status)
  const rows = await db(scope).apiKeyRequest.findMany({
    where: {
      ...ofKey,
      id: { lt: upper, gte: last?.id ?? lower },
      statusCode: { gte: least, lte: most },
      ...(method !== undefined && { method }),
      ...(route !== undefined && { route: { contains: escapeLike(route) } }),
      ...(made !== undefined && { objectIds: { has: made.id } }),
    },
    select: loggedShape,
    orderBy: { id: "desc" },
    take: size + 1,
  })
  const page = await withKeyNames(scope, rows.slice(0, size))
  return { rows: page, next: (rows.length > size ? page.at(-1)?.id : last?.id) ?? null }
}

function windowOf(madeAt: Date) {
  return { from: new Date(madeAt.getTime() - madeWithinMs), to: new Date(madeAt.getTime() + clockSkewMs) }
}

const detailShape = {
  ...loggedShape,
  ...{ problemDetail: true, problemFields: true, userAgent: true, idempotencyKey: true, objectIds: true },
} as const satisfies Record<Prisma.ApiKeyRequestScalarFieldEnum, boolean>

/** One request of the project with all that is kept of it. */
export async function findRequest(scope: InProject, id: string): Promise<RequestDetail | null> {
  const row = await db(scope).apiKeyRequest.findUnique({ where: { id }, select: detailShape })
  if (!row) return null
  const { problemDetail, problemFields, userAgent, idempotencyKey, objectIds, ...logged } = row
  const [record] = await withKeyNames(scope, [logged])
  if (!record) return null
  return {
    ...record,
    problemDetail: present(problemDetail),
    // This area writes pointers and details alone.
    problemFields: present(problemFields as FieldProblem[] | null),
    userAgent: present(userAgent),
    idempotencyKey: present(idempotencyKey),
    objectIds,
  }
}

async function withKeyNames(scope: InProject, rows: readonly LoggedRow[]): Promise<RequestRecord[]> {
  const ids = [...new Set(rows.map(({ keyId }) => keyId))]
  const keys = await db(scope).apiKey.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return rows.map(({ durationMs, ip, problemCode, notice, ...row }) =>
    shown<RequestRecord>()({
      ...row,
      requestId: row.id,
      keyName: present(names.get(row.keyId) ?? null),
      durationMs: present(durationMs),
      ip: present(ip),
      problemCode: present(problemCode),
      notice: present(notice) as RequestRecord["notice"],
      ts: instantOf(row.id),
    }),
  )
}

/** `2xx`, `4xx`, or one status such as `404`. */
function statusRange(status: string | undefined): [number, number] {
  if (status === undefined) return [0, 999]
  const hundred = /^([1-5])xx$/.exec(status)?.[1]
  return hundred ? [Number(hundred) * 100, Number(hundred) * 100 + 99] : [Number(status), Number(status)]
}

const shape = {
  id: true,
  organizationId: true,
  projectId: false,
  keyId: true,
  method: true,
  route: true,
  statusCode: true,
  durationMs: true,
  ip: true,
  createdAt: false,
  problemCode: true,
  notice: true,
  ...{ problemDetail: false, problemFields: false, userAgent: false, idempotencyKey: false, objectIds: false },
} as const satisfies Record<Prisma.ApiKeyRequestScalarFieldEnum, boolean>

type Row = Prisma.ApiKeyRequestGetPayload<{ select: typeof shape }>

export type UsageWindow = { after?: Date; before?: Date }

/** Beyond this many records of a window they are not counted, and not exported. */
export const countedRequestsMax = 1_000_000

/** Records of one step of an export: bounds its memory. */
const exportRows = 1_000

/** Requests of a key, newest first, and how many there are in the window. */
export async function listKeyRequests(
  scope: InProject,
  keyId: string,
  window: UsageWindow & { limit: number },
): Promise<{ data: ApiKeyUsageRecord[]; total: number }> {
  const [data, total] = await Promise.all([
    readRequests(scope, keyId, boundsOf(window), window.limit),
    countRequests(scope, keyId, window),
  ])
  return { data, total: Math.min(total, countedRequestsMax) }
}

/**
 * Requests of a key in a window, newest first, in groups that are read one after the other, so that an export of any length
 * takes little memory.
 */
export async function* eachRequest(
  scope: InProject,
  keyId: string,
  window: UsageWindow,
): AsyncGenerator<ApiKeyUsageRecord[]> {
  for (let next: Bounds | undefined = boundsOf(window); next;) {
    const records: ApiKeyUsageRecord[] = await readRequests(scope, keyId, next, exportRows)
    if (records.length) yield records
    const last = records.at(-1)
    next = last && records.length === exportRows ? { ...next, lt: last.id } : undefined
  }
}

/** How many requests a window has; `max + 1` for any larger number. */
export function countRequests(
  scope: InProject,
  keyId: string,
  window: UsageWindow,
  max = countedRequestsMax,
): Promise<number> {
  return db(scope).apiKeyRequest.count({ where: { keyId, id: boundsOf(window) }, take: max + 1 })
}

type Bounds = { gte: string; lt?: string }

/** The time of a record is that of its id: bounds on ids are exact, and let PostgreSQL skip whole months. */
function boundsOf({ after, before }: UsageWindow): Bounds {
  return {
    gte: firstIdAt(after ?? new Date(0)),
    ...(before && { lt: firstIdAt(new Date(before.getTime() + 1)) }),
  }
}

async function readRequests(scope: InProject, keyId: string, id: Bounds, take: number): Promise<ApiKeyUsageRecord[]> {
  const where = { keyId, id }
  const rows = await db(scope).apiKeyRequest.findMany({ where, select: shape, orderBy: { id: "desc" }, take })
  return rows.map(toRecord)
}

function toRecord({ organizationId, ...row }: Row): ApiKeyUsageRecord {
  return shown<ApiKeyUsageRecord>()({
    ...row,
    requestId: row.id,
    orgId: organizationId,
    durationMs: present(row.durationMs),
    ip: present(row.ip),
    problemCode: present(row.problemCode),
    notice: present(row.notice) as ApiKeyUsageRecord["notice"],
    ts: instantOf(row.id),
  })
}

export type UsageDay = { day: string; requests: number; refused: number }

const shownDays = 30
/** The last 30 UTC days, oldest first. */
async function lastDays(): Promise<Date[]> {
  const today = Math.floor((await databaseTime()).getTime() / dayMs)
  return Array.from({ length: shownDays }, (_, at) => new Date((today - shownDays + 1 + at) * dayMs))
}

/** The last 30 days of a key, oldest first, also those without requests. */
export async function usageDays(scope: InProject, keyId: string): Promise<UsageDay[]> {
  const days = await lastDays()
  const rows = await db(scope).apiKeyDay.groupBy({
    by: ["day"],
    where: { keyId, day: { in: days } },
    _sum: { requests: true, refused: true },
  })
  const sums = new Map(rows.map(({ day, _sum }) => [day.getTime(), _sum]))
  return days.map((day) => {
    const { requests, refused } = sums.get(day.getTime()) ?? {}
    return { day: day.toISOString().slice(0, 10), requests: requests ?? 0, refused: refused ?? 0 }
  })
}

/** How long the latest requests of a key took. */
export function keyLatency(scope: InProject, keyId: string): Promise<Latency> {
  const ofKey = Prisma.sql`api_key_requests WHERE project_id = ${scope.project.id}::uuid AND key_id = ${keyId}::uuid`
  return latencyOf(Prisma.sql`duration_ms`, ofKey, db(scope))
}

const addressesMax = 10

/** Where the latest requests of a key since a moment came from, the last address first. */
export async function clientAddresses(scope: InProject, keyId: string, since: Date): Promise<string[]> {
  const latest = await db(scope).apiKeyRequest.findMany({
    where: { keyId, id: { gte: firstIdAt(since) } },
    select: { ip: true },
    orderBy: { id: "desc" },
    take: latestMax,
  })
  return [...new Set(latest.flatMap(({ ip }) => ip ?? []))].slice(0, addressesMax)
}

export type UsedPermission = { permission: string; requests: number; lastUsedAt: Date }

/** What a key used its permissions for in 90 days, the one used last first, and how often in 30. */
export async function usedPermissions(scope: InProject, keyId: string): Promise<UsedPermission[]> {
  const days = await lastDays()
  const used = { keyId, permission: { not: "" } }
  const [all, recent] = await Promise.all([
    db(scope).apiKeyDay.groupBy({
      by: ["permission"],
      where: used,
      _max: { lastAt: true },
      orderBy: { _max: { lastAt: "desc" } },
    }),
    db(scope).apiKeyDay.groupBy({
      by: ["permission"],
      where: { ...used, day: { in: days } },
      _sum: { requests: true },
    }),
  ])
  const counts = new Map(recent.map(({ permission, _sum }) => [permission, _sum.requests ?? 0]))
  const uses = new Map<string, UsedPermission>()
  for (const { permission: together, _max } of all)
    for (const permission of together.split(" ")) {
      const { requests = 0, lastUsedAt = _max.lastAt } = uses.get(permission) ?? {}
      if (lastUsedAt) uses.set(permission, { permission, requests: requests + (counts.get(together) ?? 0), lastUsedAt })
    }
  return [...uses.values()]
}

export type UsageHour = { hour: Date; requests: number; refused: number }

/** The current hour of a key and the 23 before it, oldest first, also those without requests. */
export async function usageHours(scope: InProject, keyId: string): Promise<UsageHour[]> {
  const hours = lastHours(await databaseTime())
  const rows = await db(scope).apiKeyHour.findMany({
    where: { keyId, hour: { in: hours } },
    select: { hour: true, requests: true, refused: true },
  })
  return rowsOfHours(hours, rows, { requests: 0, refused: 0 })
}

/** Invalid fields that are kept of one request. */
export const loggedFieldsMax = 10

// On `pg`, because every request ends here, and one statement takes any number of records.

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
  problemDetail?: string | undefined
  /** At most `loggedFieldsMax`. */
  problemFields?: FieldProblem[] | undefined
  /** Of the notice that its answer carried. */
  notice?: string | null | undefined
  userAgent?: string | undefined
  idempotencyKey?: string | undefined
  /** Public ids of what it made, or of what its path names. */
  objectIds?: string[] | undefined
  /** Permissions that were asked for beside that of the operation. */
  alsoUsed?: string[] | undefined
  durationMs: number
  ip: string
  /** That the operation took; none where it was refused for want of one. */
  permission: string
  at: Date
}

/** Writes usage records, the last use and count of their keys, their days and hours. For all projects. */
export async function addRequests(records: KeyRequest[]): Promise<void> {
  const column = <T>(of: (record: KeyRequest) => T) => records.map(of)
  await pool().query(
    `WITH request AS (
      INSERT INTO api_key_requests (id, organization_id, project_id, key_id, method, route, status_code, duration_ms, ip, created_at,
          problem_code, notice, problem_detail, problem_fields, user_agent, idempotency_key, object_ids)
        SELECT id, organization_id, project_id, key_id, method, route, status_code, duration_ms, ip, created_at,
            problem_code, notice, problem_detail, problem_fields, user_agent, idempotency_key, string_to_array(object_ids, ' ')
          FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::int[],
            $9::text[], $10::timestamptz[], $12::text[], $13::text[], $14::text[], $15::jsonb[], $16::text[], $17::text[],
            $18::text[])
          AS given(id, organization_id, project_id, key_id, method, route, status_code, duration_ms, ip, created_at,
            problem_code, notice, problem_detail, problem_fields, user_agent, idempotency_key, object_ids)
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
      column(permissionsUsedBy),
      column((r) => r.problemCode ?? null),
      column((r) => r.notice ?? null),
      column((r) => r.problemDetail ?? null),
      column((r) => (r.problemFields?.length ? JSON.stringify(r.problemFields) : null)),
      column((r) => r.userAgent ?? null),
      column((r) => r.idempotencyKey ?? null),
      // As text, because PostgreSQL has no arrays of arrays of different lengths.
      column((r) => (r.objectIds?.length ? r.objectIds.join(" ") : null)),
    ],
  )
}

/** As one text, so that a day counts the request once whatever it used. */
function permissionsUsedBy({ permission, alsoUsed = [] }: KeyRequest): string {
  return [...new Set([permission, ...alsoUsed])].filter(Boolean).join(" ")
}
