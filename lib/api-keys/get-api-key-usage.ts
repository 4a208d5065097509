import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { keyMissing } from "@/lib/api-keys/problems"
import { isEmptyWindow } from "@/lib/api-keys/rules"
import { ApiKeyUsage } from "@/lib/api-keys/schema"
import * as keys from "@/lib/api-keys/store"
import { listRequests } from "@/lib/api-keys/usage-store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { clamped } from "@/lib/platform/http/paging"
import { timestamp } from "@/lib/platform/schema"

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
    const { data, total } = isEmptyWindow(query) ? { data: [], total: 0 } : await listRequests(scope, key.id, query)
    const page = { size: query.limit, totalPages: Math.ceil(total / query.limit), hasMore: total > data.length }
    return { data, page }
  },
})
