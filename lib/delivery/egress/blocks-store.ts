import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"

// Destinations that refuse an address

export type AddressBlock = { queueId: number; addressId: string; minutes: number; reply: string }

/** Mail from the address waits at the destination of the queue; `isNew` unless it did already. */
export async function blockAddress({
  queueId,
  addressId,
  minutes,
  reply,
}: AddressBlock): Promise<{ block: { since: Date; until: Date }; isNew: boolean }> {
  const now = await databaseTime()
  const until = secondsAfter(now, minutes * 60)
  const { egressPause } = unscoped()
  const data = { queueId, addressId, since: now, until, reply }
  const { count } = await egressPause.createMany({ data, skipDuplicates: true })
  if (count > 0) return { block: { since: now, until }, isNew: true }
  const where = { queueId, addressId }
  await egressPause.updateMany({ where, data: { until, reply } })
  const row = await egressPause.findFirst({ where, select: { since: true } })
  return { block: { since: row?.since ?? now, until }, isNew: false }
}

/** The destination takes mail from the address again. */
export async function unblockAddress(queueId: number, addressId: string): Promise<void> {
  await unscoped().egressPause.deleteMany({ where: { queueId, addressId } })
}

const shownBlocks = 50

/** The destinations that refuse an address now, the latest first. */
export async function blocksOf(addressId: string) {
  const rows = await unscoped().egressPause.findMany({
    where: { addressId },
    select: { queueId: true, since: true, until: true, reply: true, queue: { select: { destination: true } } },
    orderBy: [{ since: "desc" }, { queueId: "asc" }],
    take: shownBlocks,
  })
  return rows.map(({ queueId, queue: { destination }, ...times }) => {
    const name = destination?.provider ?? destination?.hosts[0] ?? "Unknown"
    return { destinationId: String(queueId), destination: name, ...times }
  })
}
