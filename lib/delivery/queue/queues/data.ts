import type { DestinationNews } from "@/lib/delivery/direct/pacing"
import { tellOperatorsOf } from "@/lib/delivery/notices/data"
import { findLiveWorkers, routeOfQueue } from "@/lib/delivery/regions/data"
import { simulatorRoute } from "@/lib/emails/simulator"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { pool, unscoped } from "@/lib/platform/database/db"
import { hourMs } from "@/lib/platform/time"
import type { Region } from "@/lib/regions/regions"
import { Prisma } from "@/prisma/generated/client"

// A claim reads one queue. If it skipped the mail of a destination in trouble instead, it would read that mail at every claim, which
// took 1.4 s where a million waited; a queue that waits is not read at all. Queues serve all projects. What is due is read on `pg`,
// because every worker asks before each claim.

/** A queue with due deliveries. */
export type DueQueue = {
  id: number
  route: string
  isOfDestination: boolean
  /** Its pause lasts: only what has expired may be claimed. */
  isPaused: boolean
  /** Its pause is over once one of its mails has found that. */
  isTry: boolean
}

const isDue = "(SELECT true FROM deliveries d WHERE d.queue_id = q.id AND d.due_at <= now() ORDER BY d.due_at LIMIT 1)"

/**
 * The queues of a region in which something is due, of all projects: its own, its simulator's, and those of destinations that this
 * worker holds; and which of its routes are down. One read of an index a queue, because nearly every region is idle nearly always.
 */
export async function findDueQueues(
  region: Region,
  worker: string | null,
  { withPaused = false } = {},
): Promise<{ queues: DueQueue[]; down: string[] }> {
  const { rows } = await pool().query<DueRow>({
    name: "delivery.due",
    text: `SELECT q.id, q.kind, q.pause, q.paused, ARRAY(SELECT route FROM region_outages WHERE route IN ($1, $2)) AS down
      FROM (VALUES (true)) one LEFT JOIN (SELECT q.id, q.kind, q.pause, ${isPaused} AS paused FROM delivery_queues q
        WHERE q.region = $1 AND (q.kind <> 'destination' OR (q.worker = $3 AND q.lease_until > now()))
          AND ($4 OR NOT ${isPaused}) AND ${isDue}) q ON true
      ORDER BY q.id`,
    values: [region, simulatorRoute, worker, withPaused],
  })
  const queues = rows.flatMap(({ id, kind, pause, paused }) =>
    id === null
      ? []
      : {
          id,
          route: kind === "simulator" ? simulatorRoute : region,
          isOfDestination: kind === "destination",
          isPaused: paused,
          isTry: pause !== null && !paused,
        },
  )
  return { queues, down: rows[0]?.down ?? [] }
}

type DueRow = { id: number | null; kind: string; pause: string | null; paused: boolean; down: string[] }

/** Of a queue `q`: nothing of it is sent now. */
export const isPaused = "(q.pause IS NOT NULL AND (q.paused_until IS NULL OR q.paused_until > now()))"

/** Of a queue `q`: its mail waits for its region or its destination, which are in trouble or take little. */
export const isHeld = `(q.pause IS NOT NULL OR q.pace_per_minute IS NOT NULL
  OR ${routeOfQueue} IN (SELECT route FROM region_outages))`

/** One worker reads the queue of a destination, so that what the destination bears needs no agreement between workers. */
const leaseSeconds = 15

/**
 * Leases the queues of destinations: those that this worker has, and those that nobody has, up to its equal share among the live
 * workers, whose number it returns; null if there are none to lease. It is one of them from its first heartbeat, and has none any
 * more once it has ended.
 */
export async function leaseQueues(worker: string): Promise<number | null> {
  const count = await unscoped().deliveryQueue.count({ where: ofDestinations })
  if (count === 0) return null
  const workers = await findLiveWorkers()
  if (!workers.some(({ id }) => id === worker)) return workers.length
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
  return workers.length
}

const ofDestinations = { kind: "destination" }

async function firstIds(where: Prisma.DeliveryQueueWhereInput, take: number): Promise<number[]> {
  const rows = await unscoped().deliveryQueue.findMany({ where, select: { id: true }, orderBy: { id: "asc" }, take })
  return rows.map(({ id }) => id)
}

// What is known of a destination, in the row of its queue

/** At most so many of a region: beyond them, mail waits in the queue of its region. */
const queuesMax = 2_000

const storedShape = {
  ...{ id: true, region: true, worker: true, leaseUntil: true, pause: true, pausedUntil: true, pauses: true },
  ...{ limitedSince: true, reply: true, connections: true, mailsPerConnection: true, pacePerMinute: true },
  ...{ limits: true, revision: true, dissolvesAt: true },
  destination: { select: { key: true, provider: true, hosts: true } },
} as const

export type StoredQueue = Prisma.DeliveryQueueGetPayload<{ select: typeof storedShape }>

/** The queues of all destinations, and the time of the database. */
export async function findDestinationQueues(): Promise<{ queues: StoredQueue[]; now: Date }> {
  const now = await databaseTime()
  const where = { ...ofDestinations, dissolvesAt: null }
  return {
    queues: await unscoped().deliveryQueue.findMany({ where, select: storedShape, orderBy: { id: "asc" } }),
    now,
  }
}

export type QueueState = Pick<
  StoredQueue,
  "pause" | "pauses" | "reply" | "connections" | "mailsPerConnection" | "pacePerMinute"
> & {
  /** Seconds from now on, and before now. */
  pausedForSeconds: number | null
  limitedForSeconds: number | null
  deliveredForSeconds: number | null
}

/** The queue of a destination, which this worker holds if it makes it; null where the region has too many. */
export async function makeQueue(
  region: Region,
  { key, provider, hosts }: { key: string; provider: string | null; hosts: readonly string[] },
  worker: string,
): Promise<StoredQueue | null> {
  const { destination, deliveryQueue, deliveryWorker } = unscoped()
  if ((await deliveryQueue.count({ where: { ...ofDestinations, region } })) >= queuesMax) return null
  await destination.createMany({ data: { key, provider, hosts: [...hosts] }, skipDuplicates: true })
  const { id: destinationId } = await destination.findUniqueOrThrow({ where: { key }, select: { id: true } })
  const isLive = (await deliveryWorker.count({ where: { id: worker } })) > 0
  const leaseUntil = secondsAfter(await databaseTime(), leaseSeconds)
  const held = isLive ? { worker, leaseUntil } : {}
  await deliveryQueue.createMany({ data: { region, ...ofDestinations, destinationId, ...held }, skipDuplicates: true })
  const where = { region, ...ofDestinations, destinationId }
  await deliveryQueue.updateMany({ where, data: { dissolvesAt: null } })
  return deliveryQueue.findFirst({ where, select: storedShape })
}

/** Stores what this worker knows of its queue, unless another one holds it, or the operator has changed it meanwhile. */
export async function storeQueue(id: number, worker: string, revision: number, state: QueueState): Promise<boolean> {
  const { pausedForSeconds, limitedForSeconds, deliveredForSeconds, ...columns } = state
  const now = await databaseTime()
  const before = (seconds: number | null) => (seconds === null ? null : secondsAfter(now, -seconds))
  const { count } = await unscoped().deliveryQueue.updateMany({
    where: { id, worker, revision },
    data: {
      ...columns,
      pausedUntil: pausedForSeconds === null ? null : secondsAfter(now, pausedForSeconds),
      limitedSince: before(limitedForSeconds),
      ...(deliveredForSeconds !== null && { deliveredAt: before(deliveredForSeconds) }),
      changedAt: now,
    },
  })
  return count > 0
}

const idleSeconds = 24 * 3_600
/** Nobody who has read of a queue puts mail into it for longer than this. */
const dissolveSeconds = 60

/** Queues of this worker that have had nothing to do for a day go: first they take no more mail, and a minute later they are removed if they are still empty. */
export async function dissolveQueues(worker: string): Promise<void> {
  const now = await databaseTime()
  const idle = secondsAfter(now, -idleSeconds)
  const { deliveryQueue, destination } = unscoped()
  const nothing = { ...ofDestinations, worker, pause: null, pacePerMinute: null, limits: { equals: Prisma.DbNull } }
  const quiet = await deliveryQueue.findMany({
    where: { ...nothing, changedAt: { lt: idle }, OR: [{ deliveredAt: null }, { deliveredAt: { lt: idle } }] },
    select: { id: true, dissolvesAt: true, destinationId: true },
  })
  for (const { id, dissolvesAt, destinationId } of quiet) {
    const isEmpty = (await unscoped().delivery.count({ where: { queueId: id, dueAt: { not: null } }, take: 1 })) === 0
    if (!isEmpty || dissolvesAt === null) {
      const data = {
        dissolvesAt: isEmpty ? secondsAfter(now, dissolveSeconds) : null,
        ...(!isEmpty && { changedAt: now }),
      }
      await deliveryQueue.updateMany({ where: { id }, data })
    } else if (dissolvesAt < now) {
      await deliveryQueue.deleteMany({ where: { ...nothing, id, dissolvesAt: { lt: now } } })
      await destination.deleteMany({ where: { id: destinationId ?? 0, queues: { none: {} } } })
    }
  }
}

/** Mail goes on at once where nothing paces it any more: its region has another transport. */
export async function releaseQueues(regions: readonly string[]): Promise<void> {
  const where = {
    ...ofDestinations,
    region: { in: [...regions] },
    OR: [{ pause: { not: null } }, { pacePerMinute: { not: null } }],
  }
  await unscoped().deliveryQueue.updateMany({
    where,
    data: {
      pause: null,
      pausedUntil: null,
      pauses: 0,
      pacePerMinute: null,
      limitedSince: null,
      revision: { increment: 1 },
    },
  })
}

/** Of each domain the queue where its mail goes now: new mail goes there at once. */
export async function noteDomains(queueOf: ReadonlyMap<string, number>): Promise<void> {
  const ids = [...new Set(queueOf.values())]
  const queues = await unscoped().deliveryQueue.findMany({
    where: { id: { in: ids }, destinationId: { not: null } },
    select: { id: true, destinationId: true },
  })
  for (const { id, destinationId } of queues) {
    const domains = [...queueOf].flatMap(([domain, queue]) => (queue === id ? domain : []))
    if (destinationId === null) continue
    const { destinationDomain } = unscoped()
    await destinationDomain.createMany({
      data: domains.map((domain) => ({ domain, destinationId })),
      skipDuplicates: true,
    })
    await destinationDomain.updateMany({
      where: { domain: { in: domains }, destinationId: { not: destinationId } },
      data: { destinationId, seenAt: await databaseTime() },
    })
  }
}

/** Tells the operators that a destination refuses an address. */
export async function tellOfBlock(queueId: number, address: string, reply: string): Promise<void> {
  const row = await unscoped().deliveryQueue.findUnique({
    where: { id: queueId },
    select: { region: true, destination: { select: { provider: true, hosts: true } } },
  })
  if (!row) return
  const destination = row.destination?.provider ?? row.destination?.hosts[0] ?? "a destination"
  const facts = { queueId, region: row.region, address, destination, reply }
  await tellOperatorsOf({ kind: "address_blocked", facts })
}

/** A queue whose mail waits for its region or for its destination, and what was said last. */
export type HeldQueue = { id: number; reply: string | null }

/** The queues of regions that are down, with what each says, and those of destinations that take nothing or little now. */
export async function findHeldQueues(down: ReadonlyMap<string, string>): Promise<HeldQueue[]> {
  const rows = await unscoped().deliveryQueue.findMany({
    where: {
      OR: [
        { region: { in: [...down.keys()] }, kind: { not: "simulator" } },
        { ...ofDestinations, OR: [{ pause: { not: null } }, { pacePerMinute: { not: null } }] },
      ],
    },
    select: { id: true, region: true, reply: true },
    orderBy: { id: "asc" },
  })
  return rows.map(({ id, region, reply }) => ({ id, reply: down.get(region) ?? reply }))
}

/** Adds replies to the hour of a queue, whose only writer is the worker that holds it. */
export async function addToHour(
  queueId: number,
  { delivered, deferred, signals, refusals }: DestinationNews,
): Promise<void> {
  const { destinationHour, destinationRefusal } = unscoped()
  const hour = hourOf(await databaseTime())
  const where = { queueId_hour: { queueId, hour } }
  const before = await destinationHour.findUnique({ where, select: { signals: true } })
  const added = signals.filter((signal) => !before?.signals.includes(signal))
  await destinationHour.upsert({
    where,
    create: { queueId, hour, delivered, deferred, signals: added },
    update: { delivered: { increment: delivered }, deferred: { increment: deferred }, signals: { push: added } },
  })
  for (const [projectId, count] of refusals)
    await destinationRefusal.upsert({
      where: { queueId_hour_projectId: { queueId, hour, projectId } },
      create: { queueId, hour, projectId, count },
      update: { count: { increment: count } },
    })
}

function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / hourMs) * hourMs)
}
