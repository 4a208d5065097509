import {
  type DestinationSummary,
  type DestinationChange,
  type DestinationDetail,
  type DestinationLimits,
  type WaitingDestination,
  destinationSignals,
  type destinationStates,
  hoursShown,
  provokedMin,
  waitingMax,
} from "@/lib/delivery/destinations/schema"
import { blockCause, type PauseKind } from "@/lib/delivery/direct/feedback"
import type { BlockCause, ReasonFacts } from "@/lib/explanation/codes"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { hourMs } from "@/lib/platform/time"
import type { Region } from "@/lib/regions/regions"
import { Prisma } from "@/prisma/generated/client"

// Destinations serve all projects: what the operator sees of them is theirs, what a project sees is its own mail.

const blocksMax = 50
const refusedMax = 1_000

const shape = {
  ...{ id: true, region: true, pause: true, pausedUntil: true, limitedSince: true, pacePerMinute: true },
  ...{ reply: true, connections: true, mailsPerConnection: true, limits: true, deliveredAt: true },
  destination: { select: { id: true, provider: true, hosts: true } },
  egressPauses: { select: { reply: true }, orderBy: { since: "desc" }, take: blocksMax },
} as const satisfies Prisma.DeliveryQueueSelect

type Row = Prisma.DeliveryQueueGetPayload<{ select: typeof shape }>

const ofDestinations = { kind: "destination" } as const
const isWaiting = { dueAt: { not: null } } as const
const isLimited = { OR: [{ pause: { not: null } }, { pacePerMinute: { not: null } }] }

/** All destinations that have a queue of their own, those in trouble first. */
export async function findDestinations(
  request: PageRequest,
  region: Region | undefined,
): Promise<{ data: DestinationSummary[]; total: number }> {
  const where = { ...ofDestinations, ...(region && { region }) }
  const now = await databaseTime()
  const { rows, total } = await counted(
    request,
    unscoped().deliveryQueue.findMany({
      where,
      select: shape,
      orderBy: [
        { egressPauses: { _count: "desc" } },
        { limitedSince: { sort: "desc", nulls: "last" } },
        { deliveredAt: { sort: "desc", nulls: "last" } },
        { id: "asc" },
      ],
      ...sliceOf(request),
    }),
    () => unscoped().deliveryQueue.count({ where }),
  )
  const data: DestinationSummary[] = []
  for (const row of rows) data.push(await summaryOf(row, now))
  return { data, total }
}

/** Null if no destination has the number. */
export async function findDestination(id: number): Promise<DestinationDetail | null> {
  const row = await unscoped().deliveryQueue.findFirst({ where: { ...ofDestinations, id }, select: shape })
  if (!row) return null
  const now = await databaseTime()
  const [known, projects, replies, blocks, hours, refusals] = await Promise.all([
    unscoped().destinationDomain.findMany({
      where: { destinationId: row.destination?.id ?? 0 },
      select: { domain: true },
      orderBy: [{ seenAt: "desc" }, { domain: "asc" }],
      take: 20,
    }),
    waitingByProject(id),
    repliesOf(id),
    unscoped().egressPause.findMany({
      where: { queueId: id },
      select: { since: true, until: true, reply: true, address: { select: { address: true } } },
      orderBy: [{ since: "desc" }, { addressId: "asc" }],
      take: blocksMax,
    }),
    unscoped().destinationHour.findMany({
      where: { queueId: id, hour: { gt: new Date(now.getTime() - hoursShown * hourMs) } },
      select: { hour: true, delivered: true, deferred: true, signals: true },
      orderBy: { hour: "asc" },
      take: hoursShown,
    }),
    refusalsOf(id, now),
  ])
  return {
    ...(await summaryOf(row, now)),
    hosts: row.destination?.hosts ?? [],
    domains: known.map(({ domain }) => domain),
    learned: { connections: present(row.connections), mailsPerConnection: present(row.mailsPerConnection) },
    limits: present(row.limits as DestinationLimits | null),
    blocks: blocks.map(({ address: { address }, ...block }) => ({ address, ...block })),
    hours: hours.map(({ signals, ...hour }) => ({ ...hour, signals: signals.filter(isSignal) })),
    projects,
    refusals,
    replies,
  }
}

function isSignal(text: string): text is (typeof destinationSignals)[number] {
  return destinationSignals.some((signal) => signal === text)
}

/** The destinations that are slowed or paused, with what waits there of a project; the latest first. */
export async function findWaitingDestinations(scope: Scope): Promise<WaitingDestination[]> {
  const rows = await unscoped().deliveryQueue.findMany({
    where: { ...ofDestinations, ...isLimited },
    select: shape,
    orderBy: [{ limitedSince: { sort: "desc", nulls: "last" } }, { id: "asc" }],
    take: 50,
  })
  // Every overview asks, and nearly always there is none.
  if (rows.length === 0) return []
  const now = await databaseTime()
  const found: WaitingDestination[] = []
  for (const row of rows) {
    const where = { queueId: row.id, ...isWaiting }
    const waiting = await db(scope).delivery.count({ where, take: waitingMax })
    if (waiting === 0) continue
    const oldest = await db(scope).delivery.findFirst({ where, select: { createdAt: true }, orderBy: { dueAt: "asc" } })
    const oldestAt = oldest?.createdAt
    found.push({ region: row.region as Region, name: nameOf(row), ...stateOf(row, now), waiting, oldestAt })
  }
  return found
}

/** Each returns whether the destination is there. */
export async function pauseDestination(id: number): Promise<boolean> {
  const now = await databaseTime()
  return update(id, { pause: "operator", pausedUntil: null, limitedSince: now })
}

/** Mail from addresses that it refuses goes on as well. */
export async function resumeDestination(id: number): Promise<boolean> {
  const { count } = await unscoped().egressPause.deleteMany({ where: { queueId: id } })
  if (count > 0) await hurryBlocked(id)
  const forgotten = { pause: null, pausedUntil: null, pacePerMinute: null, limitedSince: null, reply: null }
  return update(id, { ...forgotten, pauses: 0 })
}

/**
 * The pause ends now, and so do those of addresses that it refuses: one email, of each of these addresses, tries whether it is taken
 * again. False if it has no pause that ends by itself.
 */
export async function tryDestination(id: number): Promise<boolean> {
  // No revision: the worker goes on with what it knows, and finds that the pause is over.
  const now = await databaseTime()
  const { count } = await unscoped().deliveryQueue.updateMany({
    where: { ...ofDestinations, id, pause: { not: null }, pausedUntil: { not: null } },
    data: { pausedUntil: now },
  })
  const tried = await tryBlocked(id, now)
  return count > 0 || tried > 0
}

/**
 * Resumes the destinations of the region that refused this address for a cause that has been put right, and those that refused
 * whatever address the system chose.
 */
export async function resumeRefusedFor(cause: BlockCause, region: Region, address: string): Promise<void> {
  const isFixed = ({ reply }: { reply: string | null }) => blockCause(reply ?? "") === cause
  const [blocks, queues] = await Promise.all([
    unscoped().egressPause.findMany({
      where: { address: { region, address } },
      select: { queueId: true, reply: true },
      take: refusedMax,
    }),
    unscoped().deliveryQueue.findMany({
      where: { ...ofDestinations, region, pause: "block" },
      select: { id: true, reply: true },
      take: refusedMax,
    }),
  ])
  const ids = [...blocks.filter(isFixed).map(({ queueId }) => queueId), ...queues.filter(isFixed).map(({ id }) => id)]
  for (const id of new Set(ids)) await resumeDestination(id)
}

/** Tries the destinations of the region whose servers could not be reached at once, once it can reach those of others again. */
export async function tryUnreachable(region: Region): Promise<void> {
  await unscoped().deliveryQueue.updateMany({
    where: { ...ofDestinations, region, pause: "away" },
    data: { pausedUntil: await databaseTime() },
  })
}

// Email from an address that is refused is due when the block ends, unlike that of a paused queue.

const ofBlocks = { reason: "destination", unfinished: 0 } as const

/** Ends the blocks of a queue and makes one email of each address due; returns how many there were. */
async function tryBlocked(queueId: number, now: Date): Promise<number> {
  const { delivery, egressPause } = unscoped()
  const blocks = await egressPause.findMany({
    where: { queueId },
    select: { addressId: true },
    orderBy: { addressId: "asc" },
    take: blocksMax,
  })
  const addresses = blocks.map(({ addressId }) => addressId)
  await egressPause.updateMany({ where: { queueId, addressId: { in: addresses } }, data: { until: now } })
  for (const egressAddressId of addresses) {
    const where = { ...ofBlocks, queueId, egressAddressId, dueAt: { gt: now } }
    const first = await delivery.findFirst({ where, select: { id: true }, orderBy: { dueAt: "asc" } })
    if (first) await delivery.updateMany({ where: { ...where, id: first.id }, data: { dueAt: now } })
  }
  return addresses.length
}

const hurriedAtOnce = 1_000

/** What waited for a block that is over is due now. */
export async function hurryBlocked(queueId: number): Promise<void> {
  const now = await databaseTime()
  const where = { ...ofBlocks, queueId, dueAt: { gt: now } }
  for (let count = hurriedAtOnce; count === hurriedAtOnce;)
    ({ count } = await unscoped().delivery.updateMany({ where, data: { dueAt: now }, limit: hurriedAtOnce }))
}

export async function limitDestination(id: number, change: DestinationChange): Promise<boolean> {
  const row = await unscoped().deliveryQueue.findFirst({ where: { ...ofDestinations, id }, select: { limits: true } })
  if (!row) return false
  const given = Object.entries({ ...(row.limits as DestinationLimits | null), ...change })
  const limits = Object.fromEntries(given.filter(([, value]) => value !== null && value !== undefined))
  return update(id, { limits: Object.keys(limits).length > 0 ? limits : Prisma.DbNull })
}

async function update(id: number, data: Prisma.DeliveryQueueUpdateManyMutationInput): Promise<boolean> {
  const changedAt = await databaseTime()
  const { count } = await unscoped().deliveryQueue.updateMany({
    where: { ...ofDestinations, id },
    // Every change counts, so that the worker that holds the queue takes it over.
    data: { ...data, changedAt, revision: { increment: 1 } },
  })
  return count > 0
}

/** What limits these queues now, as the reason why their email waits. */
export async function findQueueLimits(ids: readonly number[]): Promise<Map<number, ReasonFacts["destination"]>> {
  if (ids.length === 0) return new Map()
  const where = { ...ofDestinations, id: { in: [...ids] }, ...isLimited }
  const rows = await unscoped().deliveryQueue.findMany({ where, select: shape })
  const limits = new Map<number, ReasonFacts["destination"]>()
  for (const row of rows) limits.set(row.id, factsOf(row, await waitingIn(row.id)))
  return limits
}

function factsOf(row: Row, waiting: number): ReasonFacts["destination"] {
  const { pause, limitedSince, pausedUntil, pacePerMinute } = row
  return {
    name: nameOf(row),
    why: (pause ?? "slow") as PauseKind,
    ...(limitedSince && { since: limitedSince.toISOString() }),
    ...(pausedUntil && { until: pausedUntil.toISOString() }),
    ...(pacePerMinute !== null && {
      perMinute: Math.round(pacePerMinute),
      minutes: Math.ceil(waiting / pacePerMinute),
    }),
  }
}

const waitingIn = (queueId: number) => unscoped().delivery.count({ where: { queueId, ...isWaiting }, take: waitingMax })

async function summaryOf(row: Row, now: Date): Promise<DestinationSummary> {
  const where = { queueId: row.id, ...isWaiting }
  const [waiting, oldest] = await Promise.all([
    waitingIn(row.id),
    unscoped().delivery.findFirst({ where, select: { createdAt: true }, orderBy: { dueAt: "asc" } }),
  ])
  return {
    id: String(row.id),
    region: row.region as Region,
    name: nameOf(row),
    ...stateOf(row, now),
    waiting,
    oldestAt: oldest?.createdAt,
    deliveredAt: present(row.deliveredAt),
    reply: present(row.reply ?? row.egressPauses[0]?.reply ?? null),
    refusedAddresses: row.egressPauses.length,
  }
}

const nameOf = ({ destination }: Row): string => destination?.provider ?? destination?.hosts[0] ?? "Unknown"

function stateOf({ pause, pausedUntil, pacePerMinute, limitedSince }: Row, now: Date) {
  const isPaused = pause !== null && (pausedUntil === null || pausedUntil > now)
  const state: (typeof destinationStates)[number] = isPaused
    ? "paused"
    : pause !== null
      ? "trying"
      : pacePerMinute !== null
        ? "slowed"
        : "flowing"
  return {
    state,
    pause: present(pause) as DestinationSummary["pause"],
    pausedUntil: present(pausedUntil),
    limitedSince: present(limitedSince),
    pacePerMinute: present(pacePerMinute),
  }
}

/** Of the first that wait, whose they are. */
async function waitingByProject(queueId: number) {
  const rows = await unscoped().delivery.findMany({
    where: { queueId, ...isWaiting },
    select: { projectId: true },
    take: waitingMax,
  })
  const counts = new Map<string, number>()
  for (const { projectId } of rows) counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
  const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, shownProjects)
  const names = await namesOf(most.map(([id]) => id))
  return most.map(([id, waiting]) => ({ projectId: id, name: names.get(id) ?? "", waiting }))
}

/** Of the last hours, whose emails its servers refused or deferred, and who provokes that for the others. */
async function refusalsOf(queueId: number, now: Date): Promise<DestinationDetail["refusals"]> {
  const { destinationRefusal, delivery } = unscoped()
  const rows = await destinationRefusal.groupBy({
    by: ["projectId"],
    where: { queueId, hour: { gt: new Date(now.getTime() - hoursShown * hourMs) } },
    _sum: { count: true },
    orderBy: [{ _sum: { count: "desc" } }, { projectId: "asc" }],
    take: projectsRead,
  })
  const counts = rows.map(({ projectId, _sum }) => ({ projectId, replies: _sum.count ?? 0 }))
  const replies = counts.reduce((sum, one) => sum + one.replies, 0)
  const names = await namesOf(counts.slice(0, shownProjects).map(({ projectId }) => projectId))
  const projects = counts
    .slice(0, shownProjects)
    .map(({ projectId, ...one }) => ({ projectId, name: names.get(projectId) ?? "", ...one }))
  const [first] = counts
  const mayProvoke = first !== undefined && first.replies >= provokedMin && first.replies > replies / 2
  const others = { queueId, ...isWaiting, projectId: { not: first?.projectId ?? "" } }
  const isShared = mayProvoke && (counts.length > 1 || (await delivery.count({ where: others, take: 1 })) > 0)
  return { replies, projects, ...(isShared && { provoker: first.projectId }) }
}

const shownProjects = 10
/** More have hardly ever been refused by one destination. */
const projectsRead = 1_000

async function namesOf(ids: string[]): Promise<Map<string, string>> {
  const named = await unscoped().project.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
  return new Map(named.map(({ id, name }) => [id, name]))
}

const repliesRead = 500

async function repliesOf(queueId: number) {
  const rows = await unscoped().delivery.findMany({
    where: { queueId, ...isWaiting, diagnostic: { not: null } },
    select: { diagnostic: true },
    orderBy: { dueAt: "asc" },
    take: repliesRead,
  })
  const counts = new Map<string, number>()
  for (const { diagnostic } of rows) if (diagnostic) counts.set(diagnostic, (counts.get(diagnostic) ?? 0) + 1)
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 10)
    .map(([reply, count]) => ({ reply, count }))
}
