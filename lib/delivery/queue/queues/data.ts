import { findLiveWorkers } from "@/lib/delivery/regions/data"
import { simulatorRoute } from "@/lib/delivery/transports/simulator"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { pool, unscoped } from "@/lib/platform/database/db"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import type { Region } from "@/lib/regions/regions"
import type { Prisma } from "@/prisma/generated/client"

// A claim reads one queue. If it skipped the mail of a destination in trouble instead, it would read that mail at every claim, which
// took 1.4 s where a million waited; a queue that waits is not read at all. Queues serve all projects. What is due is read on `pg`,
// because every worker asks before each claim.

/** A queue with due deliveries. */
export type DueQueue = { id: number; route: string }

const isDue = "(SELECT true FROM deliveries d WHERE d.queue_id = q.id AND d.due_at <= now() ORDER BY d.due_at LIMIT 1)"

/**
 * The queues of a region in which something is due, of all projects: its own, its simulator's, and those of destinations that this
 * worker holds; and which of its routes are down. One read of an index a queue, because nearly every region is idle nearly always.
 */
export async function findDueQueues(
  region: Region,
  worker: string | null,
): Promise<{ queues: DueQueue[]; down: string[] }> {
  const { rows } = await pool().query<{ id: number | null; kind: string; down: string[] }>({
    name: "delivery.due",
    text: `SELECT q.id, q.kind, ARRAY(SELECT route FROM region_outages WHERE route IN ($1, $2)) AS down
      FROM (VALUES (true)) one LEFT JOIN (SELECT q.id, q.kind FROM delivery_queues q
        WHERE q.region = $1 AND (q.kind <> 'destination' OR (q.worker = $3 AND q.lease_until > now())) AND ${isDue}) q ON true
      ORDER BY q.id`,
    values: [region, simulatorRoute, worker],
  })
  const queues = rows.flatMap(({ id, kind }) =>
    id === null ? [] : [{ id, route: kind === "simulator" ? simulatorRoute : region }],
  )
  return { queues, down: rows[0]?.down ?? [] }
}

/** One worker reads the queue of a destination, so that what the destination bears needs no agreement between workers. */
const leaseSeconds = 15
const renewEveryMs = 5_000

/** Keeps the queues of destinations that this worker reads, until the signal aborts. Never rejects. */
export function runQueueLeases(worker: string, signal: AbortSignal): Promise<void> {
  return runRepeatedly({
    name: "queue leases",
    round: () => leaseQueues(worker).then(() => false),
    intervalMs: renewEveryMs,
    restMs: renewEveryMs,
    signal,
  })
}

/**
 * Leases the queues of destinations: those that this worker has, and those that nobody has, up to its equal share among the live
 * workers. It is one of them from its first heartbeat, and has none any more once it has ended.
 */
export async function leaseQueues(worker: string): Promise<void> {
  const ofDestinations = { kind: "destination" }
  const count = await unscoped().deliveryQueue.count({ where: ofDestinations })
  if (count === 0) return
  const workers = await findLiveWorkers()
  if (!workers.some(({ id }) => id === worker)) return
  const share = Math.ceil(count / workers.length)
  const now = await databaseTime()
  const leased = { worker, leaseUntil: secondsAfter(now, leaseSeconds) }
  const mine = { ...ofDestinations, worker }
  const kept = await firstIds(mine, share)
  await unscoped().deliveryQueue.updateMany({ where: { ...mine, id: { in: kept } }, data: leased })
  const free = { ...ofDestinations, OR: [{ worker: null }, { worker: { not: worker }, leaseUntil: { lt: now } }] }
  // The condition once more: of workers that take a queue at the same time one has it.
  const taken = await firstIds(free, share - kept.length)
  await unscoped().deliveryQueue.updateMany({ where: { ...free, id: { in: taken } }, data: leased })
}

async function firstIds(where: Prisma.DeliveryQueueWhereInput, take: number): Promise<number[]> {
  const rows = await unscoped().deliveryQueue.findMany({ where, select: { id: true }, orderBy: { id: "asc" }, take })
  return rows.map(({ id }) => id)
}
