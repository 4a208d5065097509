import { findOutages, type RelayFault } from "@/lib/delivery/regions/outage-sql"
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

/** Claims the probes that are due; each goes to one worker only. */
export async function takeProbes(everySeconds: (route: string) => number): Promise<string[]> {
  const outages = await findOutages()
  if (!outages.length) return []
  const now = await databaseTime()
  const taken = outages.map(async ({ route }) => {
    const { count } = await unscoped().regionOutage.updateMany({
      where: { route, nextProbeAt: { lte: now } },
      data: { probedAt: now, nextProbeAt: secondsAfter(now, everySeconds(route)) },
    })
    return count ? [route] : []
  })
  return (await Promise.all(taken)).flat()
}

/** Returns how long the relay was unreachable, in seconds; null if another worker was quicker. */
export async function endOutage(route: string): Promise<number | null> {
  const outage = await unscoped().regionOutage.findUnique({ where: { route }, select: { since: true } })
  const { count } = await unscoped().regionOutage.deleteMany({ where: { route } })
  if (!outage || count === 0) return null
  return ((await databaseTime()).getTime() - outage.since.getTime()) / 1_000
}
