import type { RegionOutage, RelayFault } from "@/lib/delivery/regions/outage-sql"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"

/** Records that a relay is unreachable; true if this begins an outage. A probe that is already scheduled stays so. */
export async function beginOutage(route: string, fault: RelayFault, probeEverySeconds: number): Promise<boolean> {
  const error = { phase: fault.phase ?? "connect", diagnostic: fault.diagnostic }
  const nextProbeAt = secondsAfter(await databaseTime(), probeEverySeconds)
  const { count } = await unscoped().regionOutage.createMany({
    data: { route, ...error, nextProbeAt },
    skipDuplicates: true,
  })
  if (!count) await unscoped().regionOutage.updateMany({ where: { route }, data: error })
  return count === 1
}

/** Records that a relay refuses everybody with a sentence; true if this begins an outage. */
export async function beginRefusal(
  route: string,
  sentence: string,
  fault: RelayFault,
  probeEverySeconds: number,
): Promise<boolean> {
  const began = await beginOutage(route, fault, probeEverySeconds)
  const { count } = await unscoped().regionOutage.updateMany({
    where: { route, refusing: null },
    data: { refusing: sentence },
  })
  return began || count > 0
}

/** Before the worker that sent the latest probe sends the next one too, if there are others: this part of the time between two. */
const othersFirst = 1 / 5

/** Claims the probes that are due; each goes to one worker only. `alone` if there is no other worker. */
export async function takeProbes(
  outages: readonly RegionOutage[],
  everySeconds: (route: string) => number,
  worker: { id: string; alone: boolean },
): Promise<RegionOutage[]> {
  const now = await databaseTime()
  const taken = outages.map(async (outage) => {
    const { route } = outage
    const seconds = everySeconds(route)
    const lateBy = secondsAfter(now, worker.alone ? 0 : -seconds * othersFirst)
    const { count } = await unscoped().regionOutage.updateMany({
      where: {
        ...{ route, nextProbeAt: { lte: now } },
        OR: [{ probedBy: null }, { probedBy: { not: worker.id } }, { nextProbeAt: { lte: lateBy } }],
      },
      data: { probedAt: now, probedBy: worker.id, nextProbeAt: secondsAfter(now, seconds) },
    })
    return count ? [outage] : []
  })
  return (await Promise.all(taken)).flat()
}

/** Returns how long the outage took, in seconds; null if another worker was quicker, or the relay refuses everybody instead. */
export async function endOutage(route: string, refusing: string | null): Promise<number | null> {
  const outage = await unscoped().regionOutage.findUnique({ where: { route }, select: { since: true } })
  const { count } = await unscoped().regionOutage.deleteMany({
    where: { route, refusing: refusing === null ? null : { not: null } },
  })
  if (!outage || count === 0) return null
  return ((await databaseTime()).getTime() - outage.since.getTime()) / 1_000
}
