import type { ApiKeyUsageRecord } from "@/lib/api-keys/schema"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { firstIdAt } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Prisma } from "@/prisma/generated/client"

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
  createdAt: true,
  problemCode: true,
  notice: true,
} as const satisfies Record<Prisma.ApiKeyRequestScalarFieldEnum, boolean>

type Row = Prisma.ApiKeyRequestGetPayload<{ select: typeof shape }>

export type Window = { after?: Date; before?: Date }

/** Beyond this many records of a window they are not counted, and not exported. */
export const countedMax = 1_000_000

/** Records of one step of an export: bounds its memory. */
const exportRows = 1_000

/** Requests of a key, newest first, and how many there are in the window. */
export async function listRequests(
  scope: InProject,
  keyId: string,
  window: Window & { limit: number },
): Promise<{ data: ApiKeyUsageRecord[]; total: number }> {
  const [data, total] = await Promise.all([
    readRequests(scope, keyId, boundsOf(window), window.limit),
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
  for (let next: Bounds | undefined = boundsOf(window); next;) {
    const records: ApiKeyUsageRecord[] = await readRequests(scope, keyId, next, exportRows)
    if (records.length) yield records
    const last = records.at(-1)
    next = last && records.length === exportRows ? { ...next, lt: last.id } : undefined
  }
}

/** How many requests a window has; `max + 1` for any larger number. */
export function countRequests(scope: InProject, keyId: string, window: Window, max = countedMax): Promise<number> {
  return db(scope).apiKeyRequest.count({ where: { keyId, id: boundsOf(window) }, take: max + 1 })
}

type Bounds = { gte: string; lt?: string }

/** Ids carry the time: bounds on them let PostgreSQL skip whole months. */
function boundsOf({ after, before }: Window): Bounds {
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

function toRecord({ organizationId, createdAt, ...row }: Row): ApiKeyUsageRecord {
  return shown<ApiKeyUsageRecord>()({
    ...row,
    requestId: row.id,
    orgId: organizationId,
    durationMs: present(row.durationMs),
    ip: present(row.ip),
    problemCode: present(row.problemCode),
    notice: present(row.notice) as ApiKeyUsageRecord["notice"],
    ts: createdAt,
  })
}
