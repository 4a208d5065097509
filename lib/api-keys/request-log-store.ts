import type { RequestRecord } from "@/lib/api-keys/request-schema"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { firstIdAt } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { escapeLike } from "@/lib/platform/text"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  ...{ id: true, organizationId: false, projectId: false, keyId: true, method: true, route: true, statusCode: true },
  ...{ durationMs: true, ip: true, createdAt: true, problemCode: true, notice: true },
} as const satisfies Record<Prisma.ApiKeyRequestScalarFieldEnum, boolean>

type Row = Prisma.ApiKeyRequestGetPayload<{ select: typeof shape }>

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

/** Requests of the project before an id, newest first, and the id from which to read on, if there may be more. */
export async function requestsBefore(
  scope: InProject,
  { key, method, route, status, from, to }: RequestFilter,
  before: string | null,
  size: number,
): Promise<{ rows: RequestRecord[]; next: string | null }> {
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
    },
    select: shape,
    orderBy: { id: "desc" },
    take: size + 1,
  })
  const page = await withKeyNames(scope, rows.slice(0, size))
  return { rows: page, next: (rows.length > size ? page.at(-1)?.id : last?.id) ?? null }
}

async function withKeyNames(scope: InProject, rows: readonly Row[]): Promise<RequestRecord[]> {
  const ids = [...new Set(rows.map(({ keyId }) => keyId))]
  const keys = await db(scope).apiKey.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return rows.map(({ durationMs, ip, createdAt, problemCode, notice, ...row }) =>
    shown<RequestRecord>()({
      ...row,
      requestId: row.id,
      keyName: present(names.get(row.keyId) ?? null),
      durationMs: present(durationMs),
      ip: present(ip),
      problemCode: present(problemCode),
      notice: present(notice) as RequestRecord["notice"],
      ts: createdAt,
    }),
  )
}

/** `2xx`, `4xx`, or one status such as `404`. */
function statusRange(status: string | undefined): [number, number] {
  if (status === undefined) return [0, 999]
  const hundred = /^([1-5])xx$/.exec(status)?.[1]
  return hundred ? [Number(hundred) * 100, Number(hundred) * 100 + 99] : [Number(status), Number(status)]
}
