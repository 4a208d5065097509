import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { keyMissing } from "@/lib/api-keys/problems"
import { UsageSummary, type RotatedKeyUsage } from "@/lib/api-keys/request-schema"
import { keysInRotation } from "@/lib/api-keys/rotation-store"
import { permissionUses, rotationOf, type RotatedKey } from "@/lib/api-keys/rules"
import * as keys from "@/lib/api-keys/store"
import { addressesOf, latencyOf, usageDays, usageHours, usedPermissions } from "@/lib/api-keys/usage-days-sql"
import type { InProject } from "@/lib/platform/database/scoped-db"
import { endpoint } from "@/lib/platform/http/endpoint"
import { present } from "@/lib/platform/schema"

export const getApiKeyUsageSummary = endpoint({
  route: "GET /v1/projects/{projectId}/api-keys/{keyId}/usage/summary",
  operationId: "getApiKeyUsageSummary",
  tag: "API key usage",
  summary: "Get API key usage by day",
  description:
    "Requests of the last 30 days by day and of the last 24 hours by hour, how long the latest took, which permissions they used, and which permissions the key has not used in 30 days. While a rotation lasts, both keys side by side. Costs the same after any number of requests.",
  access: allow("usage:read"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  answers: [200, UsageSummary],
  problems: [projectMissing, keyMissing],
  additive: true,

  async run(scope, { path: { keyId } }, { clock }) {
    const now = clock.now()
    const [key, days, hours, latency, used, live] = await Promise.all([
      keys.findKey(scope, keyId),
      usageDays(scope, keyId),
      usageHours(scope, keyId),
      latencyOf(scope, keyId),
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
      rotation: await rotationUsage(scope, rotationOf(live, keyId)),
    }
  },
})

async function rotationUsage(scope: InProject, rotation: ReturnType<typeof rotationOf>) {
  if (!rotation) return undefined
  const [next, old] = await Promise.all([usageInRotation(scope, rotation.next), usageInRotation(scope, rotation.old)])
  return { startedAt: rotation.next.createdAt, endsAt: present(rotation.old.expiresAt), next, old }
}

async function usageInRotation(scope: InProject, { id, start, lastRequestAt }: RotatedKey): Promise<RotatedKeyUsage> {
  const [days, hours, addresses] = await Promise.all([
    usageDays(scope, id),
    usageHours(scope, id),
    lastRequestAt ? addressesOf(scope, id, dayOf(lastRequestAt)) : [],
  ])
  return { keyId: id, start, lastUsedAt: present(lastRequestAt), addresses, days, hours }
}

/** When the UTC day of a moment begins. */
function dayOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / dayMs) * dayMs)
}

const dayMs = 86_400_000
