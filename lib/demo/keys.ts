import { dayMs } from "@/lib/platform/time"
import { env } from "@/lib/platform/env/env"
import { endpoints } from "@/lib/api/registry"
import { mintKey } from "@/lib/access/credentials/keys"
import { permissions, type Permission } from "@/lib/access/permissions"
import { permissionMissing, rateLimited } from "@/lib/access/problems"
import { addRequests, type KeyRequest } from "@/lib/api-keys/usage/data"
import { addKey } from "@/lib/api-keys/data"
import { emailMissing } from "@/lib/emails/schema"
import { pool } from "@/lib/platform/database/db"
import type { ProblemKind } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import { systemRandom } from "@/lib/platform/io"
import { idAt, type Seeded } from "@/lib/demo/seeded"

type Use = { route: string; weight: number; failing: number; failsWith: ProblemKind }

const sending: Use[] = [
  { route: "POST /v1/emails", weight: 20, failing: 0.01, failsWith: requestInvalid },
  { route: "POST /v1/emails/batch", weight: 3, failing: 0.01, failsWith: rateLimited },
  { route: "GET /v1/emails/{emailId}", weight: 5, failing: 0.03, failsWith: emailMissing },
]
const reading: Use[] = [
  { route: "GET /v1/metrics/summary", weight: 6, failing: 0, failsWith: requestInvalid },
  { route: "GET /v1/projects/{projectId}/emails", weight: 6, failing: 0.02, failsWith: requestInvalid },
  { route: "POST /v1/emails", weight: 1, failing: 1, failsWith: permissionMissing },
]

/** The shop's key is being replaced: one machine still has the old one. */
const rotatedDaysAgo = 3
const overlapDays = 7

/** The keys are real, with random secrets that are never shown: they can be viewed and revoked. */
const plans: {
  as: "shop" | "next" | "news" | "reports" | "former"
  name: string
  granted: readonly Permission[]
  uses: Use[]
  share: number
  lastDay: number
}[] = [
  {
    as: "shop",
    name: "Shop backend",
    granted: ["emails:send", "emails:read"],
    uses: sending,
    share: 0.54,
    lastDay: rotatedDaysAgo,
  },
  { as: "next", name: "Shop backend", granted: ["emails:send", "emails:read"], uses: sending, share: 0.06, lastDay: 0 },
  {
    as: "news",
    name: "The Friday Letter",
    granted: ["emails:send"],
    uses: sending.slice(0, 2),
    share: 0.2,
    lastDay: 0,
  },
  {
    as: "reports",
    name: "Weekly report",
    granted: ["emails:read", "metrics:read", "contacts:read", "suppressions:read"],
    uses: reading,
    share: 0.15,
    lastDay: 1,
  },
  { as: "former", name: "Old shop (replaced)", granted: permissions, uses: sending, share: 0.05, lastDay: 20 },
]

export type DemoKeys = Record<(typeof plans)[number]["as"], string>

export async function addKeys(projectId: string, now: Date): Promise<DemoKeys> {
  const ids: Partial<DemoKeys> = {}
  for (const { as, name, granted } of plans)
    ids[as] = await addKey({ projectId, permissions: granted, name }, mintKey(systemRandom, env().cell))
  await pool().query("UPDATE api_keys SET revoked_at = $2 WHERE id = $1", [ids.former, daysAgo(now, 19)])
  await pool().query("UPDATE api_keys SET created_at = $2, updated_at = $2 WHERE project_id = $1", [
    projectId,
    daysAgo(now, 31),
  ])
  await pool().query(`UPDATE api_keys SET replaces_id = $2, created_at = $3, updated_at = $3 WHERE id = $1`, [
    ids.next,
    ids.shop,
    daysAgo(now, rotatedDaysAgo),
  ])
  await pool().query("UPDATE api_keys SET expires_at = $2 WHERE id = $1", [
    ids.shop,
    daysAgo(now, rotatedDaysAgo - overlapDays),
  ])
  return ids as DemoKeys
}

function daysAgo(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs)
}

/** Requests of 30 days; counts and last uses of the keys follow from them. */
export async function addUsage(
  at: { organizationId: string; projectId: string },
  keys: DemoKeys,
  now: Date,
  count: number,
  random: Seeded,
) {
  type Part = Pick<(typeof plans)[number], "as" | "uses" | "granted"> & { from: number; to: number; ip?: string }
  const requestsOf = ({ as, uses, granted, from, to, ip }: Part, howMany: number) =>
    Array.from({ length: howMany }, (): KeyRequest => {
      const { route, failing, failsWith } = random.pick(
        uses.flatMap((use) => Array.from({ length: use.weight }, () => use)),
      )
      const madeAt = new Date(now.getTime() - to * dayMs - Math.floor(random.number() * (from - to) * dayMs) - 5_000)
      const [method = "", template = ""] = route.split(" ")
      const problem = random.chance(failing) ? failsWith : undefined
      const statusCode = problem?.status ?? (template === "/v1/emails" ? 201 : 200)
      return {
        ...at,
        ...{ id: idAt(madeAt, random), keyId: keys[as], method, route: template, statusCode },
        problemCode: problem?.code,
        problemDetail: problem?.explanation,
        userAgent: as === "reports" ? "python-requests/2.32.3" : "node",
        durationMs: random.whole(2, 40),
        ip: ip ?? `203.0.113.${random.whole(40, 43)}`,
        permission: statusCode === 403 ? "" : permissionOf(route, granted),
        at: madeAt,
      }
    })
  const requests = [
    ...plans.flatMap((plan) =>
      requestsOf(
        { ...plan, from: plan.as === "next" ? rotatedDaysAgo : 30, to: plan.lastDay },
        Math.round(count * plan.share),
      ),
    ),
    ...requestsOf(
      { as: "shop", uses: sending, granted: ["emails:send"], from: rotatedDaysAgo, to: 0, ip: "203.0.113.44" },
      40,
    ),
  ]
  for (let from = 0; from < requests.length; from += 1_000) await addRequests(requests.slice(from, from + 1_000))
}

function permissionOf(route: string, granted: readonly string[]): string {
  const access = endpoints.find((endpoint) => endpoint.route === route)?.access
  return access && access.credential !== "none" ? (access.anyOf.find((one) => granted.includes(one)) ?? "") : ""
}
