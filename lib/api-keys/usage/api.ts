import { z } from "zod"
import { exported } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import * as keys from "@/lib/api-keys/data"
import { keysInRotation } from "@/lib/api-keys/data"
import { isEmptyWindow, permissionUses, type RotatedKey, rotationOf } from "@/lib/api-keys/rules"
import { ApiKeyUsage, ApiKeyUsageRecord, keyMissing, usageTooLarge } from "@/lib/api-keys/schema"
import {
  clientAddresses,
  countedRequestsMax,
  countRequests,
  eachRequest,
  findRequest,
  keyLatency,
  listKeyRequests,
  requestsBefore,
  usageDays,
  usageHours,
  usedPermissions,
} from "@/lib/api-keys/usage/data"
import {
  RequestDetail,
  loggedRequestMissing,
  RequestPage,
  type RotatedKeyUsage,
  UsageSummary,
} from "@/lib/api-keys/usage/schema"
import type { InProject } from "@/lib/platform/database/scoped-db"
import { csvDownload, jsonDownload } from "@/lib/platform/download"
import { cursorMissing, readCursor, writeCursor } from "@/lib/platform/http/cursors"
import { endpoint } from "@/lib/platform/http/endpoint"
import { clamped, cursorQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import { decodeId, encodeId, publicIdTime } from "@/lib/platform/ids"
import { createShare } from "@/lib/platform/jobs/turns"
import { present, timestamp } from "@/lib/platform/schema"
import { dayMs } from "@/lib/platform/time"

/** A list reads 20,000 records or counts a million, and there is no bucket here. */
const listing = createShare({
  waitMs: 10_000,
  busy: "Too many lists of this project's requests are being read. Try again when one has ended.",
})

const limitMax = 500

export const getApiKeyUsage = endpoint({
  route: "GET /v1/projects/{projectId}/api-keys/{keyId}/usage",
  operationId: "getApiKeyUsage",
  tag: "API key usage",
  summary: "Get API key usage",
  description:
    "Requests made with the key, newest first. Both ends of the window are inclusive: continuing with `before` set to the last record's `ts` repeats records of that millisecond and misses none. Records appear about a second after the request.",
  access: allow("usage:read"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  query: {
    limit: clamped({ min: 1, max: limitMax, fallback: 100 }).describe("Records to read."),
    after: timestamp.optional().describe("Start of the window."),
    before: timestamp.optional().describe("End of the window."),
  },
  answers: [200, ApiKeyUsage],
  problems: [projectMissing, keyMissing],

  async run(scope, { path, query }) {
    const key = await keys.findKey(scope, path.keyId)
    if (!key) throw keyMissing()
    const list = () => listing(scope.project.id, () => listKeyRequests(scope, key.id, query))
    const { data, total } = isEmptyWindow(query) ? { data: [], total: 0 } : await list()
    const page = { size: query.limit, totalPages: Math.ceil(total / query.limit), hasMore: total > data.length }
    return { data, page }
  },
})

export const exportApiKeyUsage = endpoint({
  route: "GET /v1/projects/{projectId}/api-keys/{keyId}/usage/export",
  operationId: "exportApiKeyUsage",
  tag: "API key usage",
  summary: "Export key usage log",
  description:
    "Requests made with the key, newest first, as a file: CSV (RFC 4180, UTF-8) or a JSON array of the records of the usage list. It is streamed. Both ends of the window are inclusive, and a window of more than 1,000,000 requests is refused. Requests are kept for 90 days. In CSV a cell that a spreadsheet would run as a formula begins with an apostrophe, and times are ISO 8601 in UTC.",
  access: allow("usage:read"),
  bucket: null,
  strictQuery: true,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  query: {
    format: z.enum(["csv", "json"]).default("csv").describe("Format of the file."),
    after: timestamp.optional().describe("Start of the window."),
    before: timestamp.optional().describe("End of the window."),
  },
  answers: [200, undefined, "text/csv"],
  orAnswer: { contentType: "application/json", schema: z.array(ApiKeyUsageRecord) },
  problems: [projectMissing, keyMissing, usageTooLarge],

  async run(scope, { path, query: { format, ...window } }) {
    const key = await keys.findKey(scope, path.keyId)
    if (!key) throw keyMissing()
    const isEmpty = isEmptyWindow(window)
    if (!isEmpty && (await countRequests(scope, key.id, window)) > countedRequestsMax) throw usageTooLarge()

    const filename = `usage-${encodeId("key", key.id)}.${format}`
    const groups = exported(scope, isEmpty ? nothing() : eachRequest(scope, key.id, window))
    if (format === "json")
      return jsonDownload({ filename, groups, valueOf: (record) => z.encode(ApiKeyUsageRecord, record) })
    return csvDownload({ filename, groups, columns, cellsOf })
  },
})

const columns = ["id", "key_id", "org_id", "method", "route", "status_code", "duration_ms", "ip", "ts"]

function cellsOf(record: ApiKeyUsageRecord): string[] {
  const { id, keyId, orgId, ts, ...wire } = z.encode(ApiKeyUsageRecord, record)
  const { method, route, statusCode, durationMs = "", ip = "" } = wire
  return [id, keyId, orgId, method, route, String(statusCode), String(durationMs), ip, ts]
}

async function* nothing(): AsyncGenerator<ApiKeyUsageRecord[]> {}

export const getApiKeyUsageSummary = endpoint({
  route: "GET /v1/projects/{projectId}/api-keys/{keyId}/usage/summary",
  operationId: "getApiKeyUsageSummary",
  tag: "API key usage",
  summary: "Get API key usage by day",
  description:
    "Requests of the last 30 days by day and of the last 24 hours by hour, the latency of the latest requests, the permissions they used, and the permissions that the key has not used in 30 days. During a rotation, it also covers the other key. It costs the same after any number of requests.",
  access: allow("usage:read"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  answers: [200, UsageSummary],
  problems: [projectMissing, keyMissing],
  additive: true,

  async run(scope, { path: { keyId } }, { clock }) {
    const now = clock.now()
    const own = usageOf(scope, keyId)
    const [key, { days, hours }, latency, used, live] = await Promise.all([
      keys.findKey(scope, keyId),
      own,
      keyLatency(scope, keyId),
      usedPermissions(scope, keyId),
      keysInRotation(scope),
    ])
    if (!key) throw keyMissing()
    const sum = (field: "requests" | "refused") => days.reduce((total, day) => total + day[field], 0)
    const { sample, p50Ms, p95Ms } = latency
    return {
      days,
      hours,
      requests: sum("requests"),
      refused: sum("refused"),
      ...permissionUses(key, used, now),
      latency: p50Ms === null || p95Ms === null ? undefined : { sample, p50Ms, p95Ms },
      rotation: await rotationUsage(scope, rotationOf(live, keyId), (id) => (id === keyId ? own : usageOf(scope, id))),
    }
  },
})

type Usage = Pick<RotatedKeyUsage, "days" | "hours">

async function usageOf(scope: InProject, keyId: string): Promise<Usage> {
  const [days, hours] = await Promise.all([usageDays(scope, keyId), usageHours(scope, keyId)])
  return { days, hours }
}

type ReadUsage = (keyId: string) => Promise<Usage>

async function rotationUsage(scope: InProject, rotation: ReturnType<typeof rotationOf>, read: ReadUsage) {
  if (!rotation) return undefined
  const [next, old] = await Promise.all([
    usageInRotation(scope, rotation.next, read),
    usageInRotation(scope, rotation.old, read),
  ])
  return { startedAt: rotation.next.createdAt, endsAt: present(rotation.old.expiresAt), next, old }
}

async function usageInRotation(
  scope: InProject,
  { id, start, lastRequestAt }: RotatedKey,
  read: ReadUsage,
): Promise<RotatedKeyUsage> {
  const [usage, addresses] = await Promise.all([
    read(id),
    lastRequestAt ? clientAddresses(scope, id, dayOf(lastRequestAt)) : [],
  ])
  return { keyId: id, start, lastUsedAt: present(lastRequestAt), addresses, ...usage }
}

/** When the UTC day of a moment begins. */
function dayOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / dayMs) * dayMs)
}

export const listRequests = endpoint({
  route: "GET /v1/projects/{projectId}/requests",
  operationId: "listRequests",
  tag: "Logs",
  summary: "List requests of project",
  description:
    "Requests made with any key of the project, newest first; they appear about a second after the request and are kept for 90 days. A page reads at most 20,000 records: with a filter that few requests match, it can be short or empty although `hasNextPage` is true, and the next page continues after these records. There are no cursors to earlier pages.",
  access: allow("usage:read"),
  bucket: null,
  query: {
    ...cursorQuery(),
    key: z.string().max(64).optional().describe("Id of a key."),
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).optional(),
    route: z.string().max(200).optional().describe("Part of the route's template, such as `/domains`."),
    status: z
      .string()
      .regex(/^[1-5](?:xx|[0-9]{2})$/, "Must be a status such as 404, or 2xx, 4xx or 5xx.")
      .meta({ maxLength: 3 })
      .optional()
      .describe("A status such as `404`, or a class such as `4xx`."),
    from: timestamp.optional().describe("Start of the window."),
    to: timestamp.optional().describe("End of the window."),
    made: z
      .string()
      .max(64)
      .optional()
      .describe("Id of an email or something else: the request that made it. The window is that of its making."),
  },
  answers: [200, RequestPage],
  problems: [requestInvalid, projectMissing, cursorMissing],
  additive: true,

  async run(scope, { query: { size, after, key, made, ...filter } }) {
    const keyId = key === undefined ? undefined : decodeId("key", key)
    if (keyId === null) throw parameterInvalid("key", "Must be the id of a key.")
    const madeAt = made === undefined ? undefined : publicIdTime(made)
    if (madeAt === null) throw parameterInvalid("made", "Must be an id such as email_01k9q3f7c2e8m9v4x6y8z0a1b3.")
    const collection = `${scope.project.id}|requests`
    const position = after === undefined ? null : readCursor(collection, after)
    const chosen = { ...filter, key: keyId, ...(made && madeAt && { made: { id: made, at: madeAt } }) }
    const { rows, next } = await listing(scope.project.id, () =>
      requestsBefore(scope, chosen, position?.key ?? null, size),
    )
    const nextCursor = next && writeCursor(collection, { key: next, direction: "next" })
    return {
      cursor: {
        nextCursor,
        previousCursor: null,
        hasNextPage: nextCursor !== null,
        hasPreviousPage: position !== null,
      },
      data: rows,
    }
  },
})

function parameterInvalid(name: string, detail: string) {
  return requestInvalid(detail, { errors: [{ pointer: `query/${name}`, detail }] })
}

export const getRequest = endpoint({
  route: "GET /v1/projects/{projectId}/requests/{requestId}",
  operationId: "getRequest",
  tag: "Logs",
  summary: "Get request",
  description:
    "One request with a key of the project: how it was answered, why it was refused, where it came from and what it made. Bodies and query strings are never kept.",
  access: allow("usage:read"),
  bucket: null,
  path: { requestId: { prefix: "req", missing: loggedRequestMissing } },
  answers: [200, RequestDetail],
  problems: [projectMissing, loggedRequestMissing],
  additive: true,

  async run(scope, { path }) {
    const request = await findRequest(scope, path.requestId)
    if (!request) throw loggedRequestMissing()
    return request
  },
})

export const usageOperations = [
  getApiKeyUsage,
  exportApiKeyUsage,
  getApiKeyUsageSummary,
  listRequests,
  getRequest,
] as const
