import { dayMs } from "@/lib/platform/time"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { latencyOf, latestMax, type Latency } from "@/lib/platform/database/latency-sql"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { firstIdAt } from "@/lib/platform/ids"
import { Prisma } from "@/prisma/generated/client"

export type UsageDay = { day: string; requests: number; refused: number }

const shownDays = 30
/** The last 30 UTC days, oldest first. */
async function lastDays(): Promise<Date[]> {
  const today = Math.floor((await databaseTime()).getTime() / dayMs)
  return Array.from({ length: shownDays }, (_, at) => new Date((today - shownDays + 1 + at) * dayMs))
}

/** The last 30 days of a key, oldest first, also those without requests. */
export async function usageDays(scope: InProject, keyId: string): Promise<UsageDay[]> {
  const days = await lastDays()
  const rows = await db(scope).apiKeyDay.groupBy({
    by: ["day"],
    where: { keyId, day: { in: days } },
    _sum: { requests: true, refused: true },
  })
  const sums = new Map(rows.map(({ day, _sum }) => [day.getTime(), _sum]))
  return days.map((day) => {
    const { requests, refused } = sums.get(day.getTime()) ?? {}
    return { day: day.toISOString().slice(0, 10), requests: requests ?? 0, refused: refused ?? 0 }
  })
}

/** How long the latest requests of a key took. */
export function keyLatency(scope: InProject, keyId: string): Promise<Latency> {
  const ofKey = Prisma.sql`api_key_requests WHERE project_id = ${scope.project.id}::uuid AND key_id = ${keyId}::uuid`
  return latencyOf(Prisma.sql`duration_ms`, ofKey, db(scope))
}

const addressesMax = 10

/** Where the latest requests of a key since a moment came from, the last address first. */
export async function addressesOf(scope: InProject, keyId: string, since: Date): Promise<string[]> {
  const latest = await db(scope).apiKeyRequest.findMany({
    where: { keyId, id: { gte: firstIdAt(since) } },
    select: { ip: true },
    orderBy: { id: "desc" },
    take: latestMax,
  })
  return [...new Set(latest.flatMap(({ ip }) => ip ?? []))].slice(0, addressesMax)
}

export type UsedPermission = { permission: string; requests: number; lastUsedAt: Date }

/** What a key used its permissions for in 90 days, the one used last first, and how often in 30. */
export async function usedPermissions(scope: InProject, keyId: string): Promise<UsedPermission[]> {
  const days = await lastDays()
  const used = { keyId, permission: { not: "" } }
  const [all, recent] = await Promise.all([
    db(scope).apiKeyDay.groupBy({
      by: ["permission"],
      where: used,
      _max: { lastAt: true },
      orderBy: { _max: { lastAt: "desc" } },
    }),
    db(scope).apiKeyDay.groupBy({
      by: ["permission"],
      where: { ...used, day: { in: days } },
      _sum: { requests: true },
    }),
  ])
  const counts = new Map(recent.map(({ permission, _sum }) => [permission, _sum.requests ?? 0]))
  return all.flatMap(({ permission, _max: { lastAt } }) =>
    lastAt === null ? [] : [{ permission, requests: counts.get(permission) ?? 0, lastUsedAt: lastAt }],
  )
}
