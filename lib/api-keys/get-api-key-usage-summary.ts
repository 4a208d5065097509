import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { keyMissing } from "@/lib/api-keys/problems"
import { UsageSummary } from "@/lib/api-keys/request-schema"
import { permissionUses } from "@/lib/api-keys/rules"
import * as keys from "@/lib/api-keys/store"
import { usageDays, usedPermissions } from "@/lib/api-keys/usage-days-sql"
import { endpoint } from "@/lib/platform/http/endpoint"

export const getApiKeyUsageSummary = endpoint({
  route: "GET /v1/projects/{projectId}/api-keys/{keyId}/usage/summary",
  operationId: "getApiKeyUsageSummary",
  tag: "API key usage",
  summary: "Get API key usage by day",
  description:
    "Requests of the last 30 days by day, which permissions they used, and which permissions the key has not used in 30 days. Costs the same after any number of requests.",
  access: allow("usage:read"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  answers: [200, UsageSummary],
  problems: [projectMissing, keyMissing],
  additive: true,

  async run(scope, { path: { keyId } }, { clock }) {
    const [key, days, used] = await Promise.all([
      keys.findKey(scope, keyId),
      usageDays(scope, keyId),
      usedPermissions(scope, keyId),
    ])
    if (!key) throw keyMissing()
    const sum = (field: "requests" | "refused") => days.reduce((total, day) => total + day[field], 0)
    return { days, requests: sum("requests"), refused: sum("refused"), ...permissionUses(key, used, clock.now()) }
  },
})
