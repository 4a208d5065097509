import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

/** An address that is to be taken off the list of a region's account; `attempt` counts from 1 once it is claimed. */
export type SesRemoval = { region: string; email: string; attempt: number }

/** For each region that sends by SES; one that is asked for again begins anew. */
export async function askForSesRemoval(email: string): Promise<void> {
  const { profiles } = regionSettings()
  for (const region of regionNames.filter((name) => profiles[name].transport === "ses"))
    await unscoped().sesRemoval.upsert({
      where: { region_email: { region, email } },
      create: { region, email },
      update: { attempt: 0, dueAt: await databaseTime() },
    })
}

/** Claims what is due, each for one worker, until `leaseSeconds` later. */
export async function claimSesRemovals(limit: number, leaseSeconds: number): Promise<SesRemoval[]> {
  const now = await databaseTime()
  const due = await unscoped().sesRemoval.findMany({
    where: { dueAt: { lte: now } },
    orderBy: { dueAt: "asc" },
    take: limit,
  })
  const claimed = due.map(async ({ region, email, attempt }) => {
    const { count } = await unscoped().sesRemoval.updateMany({
      where: { region, email, attempt, dueAt: { lte: now } },
      data: { attempt: attempt + 1, dueAt: secondsAfter(now, leaseSeconds) },
    })
    return count === 1 ? [{ region, email, attempt: attempt + 1 }] : []
  })
  return (await Promise.all(claimed)).flat()
}

/** It is done with, unless it was asked for again meanwhile. */
export async function endSesRemoval({ region, email, attempt }: SesRemoval): Promise<void> {
  await unscoped().sesRemoval.deleteMany({ where: { region, email, attempt } })
}

/** It is tried again after so many seconds. */
export async function putOffSesRemoval({ region, email, attempt }: SesRemoval, seconds: number): Promise<void> {
  const dueAt = secondsAfter(await databaseTime(), seconds)
  await unscoped().sesRemoval.updateMany({ where: { region, email, attempt }, data: { dueAt } })
}
