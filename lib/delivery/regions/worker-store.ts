import { hostname } from "node:os"
import type { PathFault, Paths } from "@/lib/delivery/regions/paths"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"

export const heartbeatSeconds = 10
/** A worker without a heartbeat for so long is not counted. */
const liveSeconds = 30
const forgottenSeconds = 3_600

/** Writes the worker's heartbeat, with the relays that it cannot reach. */
export async function writeHeartbeat(paths: Paths): Promise<void> {
  const row = {
    host: hostname(),
    seenAt: await databaseTime(),
    unreachable: JSON.parse(JSON.stringify(paths.faults())),
  }
  await unscoped().deliveryWorker.upsert({ where: { id: paths.id }, create: { id: paths.id, ...row }, update: row })
}

/** The worker has ended; with it go those that ended without a word. */
export async function removeWorker({ id }: Paths): Promise<void> {
  const before = secondsAfter(await databaseTime(), -forgottenSeconds)
  await unscoped().deliveryWorker.deleteMany({ where: { OR: [{ id }, { seenAt: { lt: before } }] } })
}

/** A worker whose heartbeat is fresh. */
export type LiveWorker = { id: string; host: string; unreachable: Readonly<Record<string, StoredFault>> }

type StoredFault = Omit<PathFault, "since"> & { since: string }

export async function findLiveWorkers(): Promise<LiveWorker[]> {
  const rows = await unscoped().deliveryWorker.findMany({
    where: { seenAt: { gt: secondsAfter(await databaseTime(), -liveSeconds) } },
    select: { id: true, host: true, unreachable: true },
    orderBy: { id: "asc" },
    take: 1_000,
  })
  return rows.map((row) => ({ ...row, unreachable: row.unreachable as unknown as LiveWorker["unreachable"] }))
}

/** Whether another live worker than this one reaches the relay. */
export async function isReachedByOthers({ id }: Paths, route: string): Promise<boolean> {
  return (await findLiveWorkers()).some((one) => one.id !== id && !(route in one.unreachable))
}
