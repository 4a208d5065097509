import { isAcceptedSince } from "@/lib/delivery/regions/outage-sql"
import { refusedDomainsMax, refusedWithinSeconds } from "@/lib/delivery/regions/refusal-rules"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

export type RouteRefusal = { route: string; sentence: string; domain: string; deliveryId: string }

/**
 * Records a refusal and tells whether its route refuses everybody: its sentence has met so many domains, and nobody's mail
 * was accepted since. Of workers that record at the same time the last one sees them all; what the others let bounce
 * meanwhile is taken back.
 */
export async function refusesEverybody(refusal: RouteRefusal): Promise<boolean> {
  const { route, sentence } = refusal
  await unscoped().routeRefusal.create({ data: { id: newId(), ...refusal } })
  if (await isRefusing(route)) return true
  const since = secondsAfter(await databaseTime(), -refusedWithinSeconds)
  const domains = await unscoped().routeRefusal.groupBy({
    by: ["domain"],
    where: { route, sentence, refusedAt: { gte: since }, clearedAt: null },
    _min: { refusedAt: true },
  })
  if (domains.length < refusedDomainsMax) return false
  const { _min: cleared } = await unscoped().routeRefusal.aggregate({
    where: { route, sentence, clearedAt: { gte: since } },
    _min: { clearedAt: true },
  })
  const times = [...domains.map(({ _min }) => _min.refusedAt), cleared.clearedAt].flatMap((at) => at ?? [])
  return !(await isAcceptedSince(route, new Date(Math.min(...times.map((at) => at.getTime())))))
}

async function isRefusing(route: string): Promise<boolean> {
  return (await unscoped().regionOutage.count({ where: { route, refusing: { not: null } } })) > 0
}

/** Domains that the route has refused during this outage. */
export async function refusedDomains(route: string): Promise<string[]> {
  const where = { route, clearedAt: null }
  const rows = await unscoped().routeRefusal.groupBy({ by: ["domain"], where, orderBy: { domain: "asc" }, take: 1_000 })
  return rows.map(({ domain }) => domain)
}

/** Deliveries that the route has refused with this sentence, in groups. */
export async function refusedDeliveries(route: string, sentence: string): Promise<string[]> {
  const since = secondsAfter(await databaseTime(), -2 * refusedWithinSeconds)
  const where = { route, sentence, clearedAt: null, refusedAt: { gte: since } }
  const rows = await unscoped().routeRefusal.findMany({ where, select: { deliveryId: true }, take: 10_000 })
  return [...new Set(rows.map(({ deliveryId }) => deliveryId))].sort()
}

/** The route accepts mail again, since `at`. */
export async function clearRefusals(route: string, at: Date): Promise<void> {
  await unscoped().routeRefusal.updateMany({ where: { route, clearedAt: null }, data: { clearedAt: at } })
}

/** Removes refusals that no longer count. */
export async function forgetOldRefusals(): Promise<void> {
  const before = secondsAfter(await databaseTime(), -2 * refusedWithinSeconds)
  await unscoped().routeRefusal.deleteMany({ where: { refusedAt: { lt: before } } })
}
