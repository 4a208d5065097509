import type { RequestRecord } from "@/lib/api-keys/request-schema"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { firstIdAt } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { Prisma } from "@/prisma/generated/client"

type Row = {
  id: string
  keyId: string
  keyName: string | null
  method: string
  route: string
  statusCode: number
  durationMs: number | null
  ip: string | null
  ts: Date
}

export type RequestFilter = {
  key?: string | undefined
  method?: string | undefined
  route?: string | undefined
  status?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** Records that one page reads at most, so that a rare filter ends in time; the next page continues behind them. */
export const windowMax = 20_000

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/**
 * Requests of the project before an id, newest first, and the id from which to read on, if there may be more. Raw, because
 * Prisma cannot filter within a bounded window.
 */
export async function requestsBefore(
  scope: InProject,
  filter: RequestFilter,
  before: string | null,
  size: number,
): Promise<{ rows: RequestRecord[]; next: string | null }> {
  const { key, method, route, status, from, to } = filter
  const upper = before ?? (to ? firstIdAt(new Date(to.getTime() + 1)) : lastId)
  const lower = firstIdAt(from ?? new Date(0))
  const keyed = key ? Prisma.sql`AND key_id = ${key}::uuid` : Prisma.empty
  const read = Prisma.sql`SELECT id, key_id, method, route, status_code, duration_ms, ip, created_at FROM api_key_requests
    WHERE project_id = ${scope.project.id}::uuid AND id < ${upper}::uuid AND id >= ${lower}::uuid ${keyed}
    ORDER BY id DESC LIMIT ${windowMax}`
  const [least, most] = statusRange(status)
  const [rows, last] = await Promise.all([
    db(scope).$queryRaw<Row[]>`
      SELECT w.id, w.key_id AS "keyId", k.name AS "keyName", w.method, w.route, w.status_code AS "statusCode",
          w.duration_ms AS "durationMs", w.ip, w.created_at AS ts
        FROM (${read}) w LEFT JOIN api_keys k ON k.id = w.key_id AND k.project_id = ${scope.project.id}::uuid
        WHERE w.status_code BETWEEN ${least} AND ${most}
          AND (${method ?? null}::text IS NULL OR w.method = ${method ?? null}::text)
          AND (${route ?? null}::text IS NULL OR strpos(w.route, ${route ?? null}::text) > 0)
        ORDER BY w.id DESC LIMIT ${size + 1}`,
    // The record that ends the window, if there are as many.
    db(scope).apiKeyRequest.findFirst({
      where: { id: { lt: upper, gte: lower }, ...(key && { keyId: key }) },
      select: { id: true },
      orderBy: { id: "desc" },
      skip: windowMax - 1,
    }),
  ])
  const page = rows.slice(0, size).map(toRecord)
  if (rows.length > size) return { rows: page, next: page.at(-1)?.id ?? null }
  return { rows: page, next: last?.id ?? null }
}

function toRecord({ keyName, durationMs, ip, ...row }: Row): RequestRecord {
  return { ...row, requestId: row.id, keyName: present(keyName), durationMs: present(durationMs), ip: present(ip) }
}

/** `2xx`, `4xx`, or one status such as `404`. */
function statusRange(status: string | undefined): [number, number] {
  if (status === undefined) return [0, 999]
  const hundred = /^([1-5])xx$/.exec(status)?.[1]
  return hundred ? [Number(hundred) * 100, Number(hundred) * 100 + 99] : [Number(status), Number(status)]
}
