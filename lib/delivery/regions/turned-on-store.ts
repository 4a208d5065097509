import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { announceWork } from "@/lib/platform/jobs/announce-sql"
import { type Region, regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

/** The regions from which email to others leaves: those that send directly only since their set-up was complete once. */
export async function findTurnedOn(): Promise<Region[]> {
  const { profiles } = regionSettings()
  const rows = await unscoped().setupRegion.findMany({ select: { region: true } })
  return regionNames.filter(
    (name) => profiles[name].transport !== "direct" || rows.some(({ region }) => region === name),
  )
}

/** Between two questions whether a region has been turned on; it is never turned off. */
const askedEveryMs = 1_000

/** Whether email to others leaves a region. */
export function createTurnedOn(): (region: Region) => Promise<boolean> {
  const on = new Set<Region>()
  let asked: Promise<void> | undefined
  let askedAt = Number.NEGATIVE_INFINITY

  async function ask(): Promise<void> {
    for (const region of await findTurnedOn()) on.add(region)
  }

  return async (region) => {
    if (on.has(region)) return true
    const now = performance.now()
    if (now - askedAt >= askedEveryMs) {
      askedAt = now
      asked = ask()
    }
    await asked
    return on.has(region)
  }
}

const checkedEverySeconds = 30 * 60

/** Whether the rows of a region that sends to others are due to be checked: to one worker, for all that are. */
export async function claimSetupCheck(): Promise<boolean> {
  const { profiles } = regionSettings()
  const sending = regionNames.filter((name) => profiles[name].transport !== "sandbox")
  if (sending.length === 0) return false
  const now = await databaseTime()
  const { count } = await unscoped().setupRegion.updateMany({
    where: { region: { in: sending }, nextCheckAt: { lte: now } },
    data: { nextCheckAt: secondsAfter(now, checkedEverySeconds) },
  })
  return count > 0
}

/** Turns regions on for good: what waited there is sent at once. */
export async function turnOn(regions: readonly Region[]): Promise<void> {
  const { setupRegion, deliveryQueue, delivery } = unscoped()
  const data = regions.map((region) => ({ region }))
  await setupRegion.createMany({ data, skipDuplicates: true })
  const now = await databaseTime()
  const queues = await deliveryQueue.findMany({ where: { region: { in: [...regions] } }, select: { id: true } })
  for (const { id: queueId } of queues)
    await delivery.updateMany({
      where: { queueId, dueAt: { gt: now }, unfinished: 0, reason: "setup_incomplete" },
      data: { dueAt: now },
    })
  announceWork()
}
