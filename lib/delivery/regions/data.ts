import { hostname } from "node:os"
import { type PathFault, type Paths, outageSentence, type ReportsCode } from "@/lib/delivery/regions/region-rules"
import { refusedWithinSeconds } from "@/lib/delivery/regions/refusal-rules"
import type { DeliveryAttempt, OwnFault } from "@/lib/delivery/transports/attempt"
import { simulatorDomain, simulatorRoute } from "@/lib/emails/simulator"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { pool, unscoped } from "@/lib/platform/database/db"
import { firstIdAt, newId } from "@/lib/platform/ids"
import { Prisma } from "@/prisma/generated/client"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { type Region, regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"
import { findReturnRoutes, reportsOf } from "@/lib/delivery/regions/return-route-store"

/** Records that a relay is unreachable; true if this begins an outage. A probe that is already scheduled stays so. */
export async function beginOutage(route: string, fault: RelayFault, probeEverySeconds: number): Promise<boolean> {
  const { phase = "connect", diagnostic, fault: own } = fault
  const error = { phase, diagnostic, fault: own?.code ?? null, faultFacts: own?.facts ?? Prisma.DbNull }
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
  everySeconds: (outage: RegionOutage) => number,
  worker: { id: string; alone: boolean },
): Promise<RegionOutage[]> {
  const now = await databaseTime()
  const taken = outages.map(async (outage) => {
    const { route } = outage
    const seconds = everySeconds(outage)
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

/**
 * Returns how long the outage took, in seconds; null if another worker was quicker, or the relay refuses everybody instead. What
 * was found of destinations meanwhile may have been the region's fault: each is tried at once.
 */
export async function endOutage(route: string, refusing: string | null): Promise<number | null> {
  const outage = await unscoped().regionOutage.findUnique({ where: { route }, select: { since: true } })
  const { count } = await unscoped().regionOutage.deleteMany({
    where: { route, refusing: refusing === null ? null : { not: null } },
  })
  if (!outage || count === 0) return null
  const now = await databaseTime()
  await unscoped().deliveryQueue.updateMany({
    where: { region: route, kind: "destination", pause: { in: ["away", "block"] } },
    data: { pausedUntil: now },
  })
  return (now.getTime() - outage.since.getTime()) / 1_000
}

// Refusals of a relay

type RouteRefusal = { route: string; sentence: string; domain: string; deliveryId: string }

/**
 * Records a refusal and tells whether its route refuses everybody: its sentence has met so many domains, and nobody's mail
 * was accepted since. Of workers that record at the same time the last one sees them all; what the others let bounce
 * meanwhile is taken back.
 */
export async function refusesEverybody(refusal: RouteRefusal, refusersMax: number): Promise<boolean> {
  const { route, sentence } = refusal
  await unscoped().routeRefusal.create({ data: { id: newId(), ...refusal } })
  if (await isRefusing(route)) return true
  const since = secondsAfter(await databaseTime(), -refusedWithinSeconds)
  const domains = await unscoped().routeRefusal.groupBy({
    by: ["domain"],
    where: { route, sentence, refusedAt: { gte: since }, clearedAt: null },
    _min: { refusedAt: true },
  })
  if (domains.length < refusersMax) return false
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

// Workers

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
type LiveWorker = { id: string; host: string; unreachable: Readonly<Record<string, StoredFault>> }

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

// On `pg`: Prisma has no SKIP LOCKED, no count of distinct values and no relation between attempts and deliveries, and
// `GET /health` answers within a second, in a process that has not loaded Prisma's engine yet, too.

/** The route of a queue `q`: its mail waits while that is down. */
export const routeOfQueue = `CASE q.kind WHEN 'simulator' THEN '${simulatorRoute}' ELSE q.region END`

/** The error of the latest failed probe or attempt. */
type RelayFault = { phase: DeliveryAttempt["phase"]; diagnostic: string; fault?: OwnFault | undefined }

/** While a relay is unreachable, a failed probe is recorded as an attempt this often. */
const attemptEverySeconds = 60

/**
 * Records a failed probe. Once a minute it adds an attempt to the email that waits longest, which increments that
 * delivery's fencing token; its retry schedule is not affected. It serves all projects.
 */
export async function noteProbe(route: string, fault: RelayFault, attempt: DeliveryAttempt): Promise<void> {
  await pool().query({
    name: "region.note_probe",
    text: `WITH noted AS (
        UPDATE region_outages SET phase = $2, diagnostic = $3, fault = $14, fault_facts = $15,
            noted_at = CASE WHEN noted_at <= now() - make_interval(secs => $4) THEN now() ELSE noted_at END
          WHERE route = $1 RETURNING noted_at = now() AS due
      ), oldest AS (
        SELECT d.id FROM delivery_queues q, LATERAL (SELECT id, due_at FROM deliveries
            WHERE queue_id = q.id AND due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) d
          WHERE (SELECT due FROM noted) AND ${routeOfQueue} = $1 ORDER BY d.due_at LIMIT 1
      ), counted AS (
        UPDATE deliveries d SET attempt = attempt + 1 FROM oldest o WHERE d.id = o.id
          RETURNING d.project_id, d.email_id, d.id, d.attempt
      )
      INSERT INTO delivery_attempts (id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced,
          text, remote, tls, conversation, started_at, ended_at)
        SELECT $5, project_id, email_id, id, attempt, 'region_fault', $2, $6, $7, $8, $9, $10, $11, $12, $13 FROM counted`,
    values: [
      route,
      fault.phase ?? "connect",
      fault.diagnostic,
      attemptEverySeconds,
      newId(),
      attempt.code,
      attempt.enhanced,
      attempt.text,
      attempt.remote,
      attempt.tls,
      attempt.conversation.join("\n"),
      attempt.startedAt,
      attempt.endedAt,
      fault.fault?.code,
      fault.fault && JSON.stringify(fault.fault.facts),
    ],
  })
}

/** Whether the route accepted a mail whose attempt began since then, of all projects. */
async function isAcceptedSince(route: string, since: Date): Promise<boolean> {
  const { rows } = await pool().query<{ accepted: boolean }>({
    name: "region.accepted_since",
    text: `SELECT EXISTS (SELECT 1 FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
      WHERE a.id >= $2 AND a.outcome = 'accepted' AND a.started_at >= $3 AND d.region = $1 AND d.canonical NOT LIKE $4
      ) AS accepted`,
    values: [route, firstIdAt(since), since, `%@${simulatorDomain()}`],
  })
  return rows[0]?.accepted ?? false
}

/** A relay that cannot be reached, or that refuses everybody with a sentence; `route` is a region or `simulator`. */
export type RegionOutage = {
  route: string
  since: Date
  phase: string
  diagnostic: string
  probedAt: Date | null
  refusing: string | null
  /** What keeps it from sending, where that is known. */
  fault: OwnFault | null
}

/** Outages are above projects. */
export async function findOutages(): Promise<RegionOutage[]> {
  const { rows } = await pool().query<RegionOutage>(
    `SELECT route, since, phase, diagnostic, probed_at AS "probedAt", refusing,
        CASE WHEN fault IS NOT NULL THEN jsonb_build_object('code', fault, 'facts', fault_facts) END AS fault
      FROM region_outages ORDER BY route`,
  )
  return rows
}

/** Due emails of these regions, of one project or of all projects. */
async function countWaiting(regions: readonly string[], projectId?: string): Promise<Map<string, number>> {
  const { rows } = await pool().query<{ region: string; count: number }>(
    `SELECT q.region, count(DISTINCT d.email_id)::int AS count
      FROM delivery_queues q JOIN deliveries d ON d.queue_id = q.id
      WHERE q.region = ANY ($1) AND d.due_at <= now() AND ($2::uuid IS NULL OR d.project_id = $2) GROUP BY q.region`,
    [regions, projectId ?? null],
  )
  return new Map(rows.map(({ region, count }) => [region, count]))
}

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

type RegionReport = {
  region: Region
  status: "up" | "down"
  since?: Date
  /** Due emails while it is down. */
  waiting?: number
  message?: string
  /** What this machine lacks, or the account at the provider. */
  fault?: OwnFault["code"]
  /** What `delivered=dsn` comes to; absent where the region is not set to it. */
  reports?: ReportsCode
}

/** Whether each region reaches its relay; of a project, only its own emails are counted. */
export async function reportRegions(projectId?: string): Promise<RegionReport[]> {
  const [found, routes] = await Promise.all([findOutages(), findReturnRoutes()])
  const outages = new Map(found.map((outage) => [outage.route, outage]))
  const down = regionNames.filter((region) => outages.has(region))
  const waiting = down.length > 0 ? await countWaiting(down, projectId) : new Map<string, number>()
  return regionNames.map((region) => {
    const outage = outages.get(region)
    const code = reportsOf(region, routes)
    const reports = code === null ? {} : { reports: code }
    if (!outage) return { region, status: "up", ...reports }
    const { since, diagnostic, refusing, fault } = outage
    const count = waiting.get(region) ?? 0
    const { transport } = regionSettings().profiles[region]
    const message = outageSentence({
      ...{ region, since, diagnostic, waiting: count },
      sandbox: transport === "sandbox",
      direct: transport === "direct",
      fault,
      refusing: refusing !== null,
    })
    return { region, status: "down", since, waiting: count, message, ...(fault && { fault: fault.code }), ...reports }
  })
}
