import { dayMs } from "@/lib/platform/time"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { keyMissing } from "@/lib/api-keys/problems"
import { UsageSummary, type RotatedKeyUsage } from "@/lib/api-keys/request-schema"
import { keysInRotation } from "@/lib/api-keys/rotation-store"
import { permissionUses, rotationOf, type RotatedKey } from "@/lib/api-keys/rules"
import * as keys from "@/lib/api-keys/store"
import { addressesOf, keyLatency, usageDays, usedPermissions } from "@/lib/api-keys/usage-days-store"
import { usageHours } from "@/lib/api-keys/usage-hours-store"
import type { InProject } from "@/lib/platform/database/scoped-db"
import { endpoint } from "@/lib/platform/http/endpoint"
import { present } from "@/lib/platform/schema"

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
    lastRequestAt ? addressesOf(scope, id, dayOf(lastRequestAt)) : [],
  ])
  return { keyId: id, start, lastUsedAt: present(lastRequestAt), addresses, ...usage }
}

/** When the UTC day of a moment begins. */
function dayOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / dayMs) * dayMs)
}
