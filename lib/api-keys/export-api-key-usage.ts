import { z } from "zod"
import { exported } from "@/lib/access/limits/places-store"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { keyMissing, usageTooLarge } from "@/lib/api-keys/problems"
import { isEmptyWindow } from "@/lib/api-keys/rules"
import { ApiKeyUsageRecord } from "@/lib/api-keys/schema"
import * as keys from "@/lib/api-keys/store"
import { countedMax, countRequests, eachRequest } from "@/lib/api-keys/usage-store"
import { csvDownload, jsonDownload } from "@/lib/platform/download"
import { endpoint } from "@/lib/platform/http/endpoint"
import { encodeId } from "@/lib/platform/ids"
import { timestamp } from "@/lib/platform/schema"

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
    if (!isEmpty && (await countRequests(scope, key.id, window)) > countedMax) throw usageTooLarge()

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
