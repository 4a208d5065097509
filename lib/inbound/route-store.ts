import { bestRoute } from "@/lib/inbound/route-rules"
import { dayMs } from "@/lib/platform/time"
import { unscoped } from "@/lib/platform/database/db"
import { firstIdAt } from "@/lib/platform/ids"

/** How a recipient at a route's address is answered; `unknown` where no route takes it. */
export type RouteAnswer = "stored" | "unknown" | "paused" | "busy" | "full"

export type RouteDirectory = {
  /**
   * Whether mail to an address, in lower case, is taken now, beside so many recipients that the same mail has already. Nothing is
   * counted: whoever asks may send no mail.
   */
  admit(address: string, others: number): Promise<RouteAnswer>
  /** The route of an address, in lower case, and nothing is counted. */
  find(address: string): Promise<KnownRoute | null>
  /** Counts a mail that is about to be stored; false if the route has had its mails of this minute. */
  count(routeId: string): boolean
}

/** Anybody may write to an address: what a route takes is limited. */
export const routeLimits = { mailsPerMinute: 60, bytesPerDay: 2 ** 30 }

const minuteMs = 60_000
/** A new route works, and a deleted one ends, after so long. */
const keptMs = 1_000
const keptMax = 10_000

/** Routes as the listener asks for them. Mails a minute are counted by each process, bytes a day from what is stored. */
export function createRouteDirectory({ limits = routeLimits, now = () => performance.now() } = {}): RouteDirectory {
  const routesAt = keptFor(keptMs, routesOf, now)
  const movingAt = keptFor(keptMs, movingRoutesOf, now)
  const bytesToday = keptFor(
    10 * keptMs,
    async (id) => (await routedSince(id, new Date(Date.now() - dayMs))).bytes,
    now,
  )
  const windows = new Map<string, { since: number; mails: number }>()

  async function find(address: string): Promise<KnownRoute | null> {
    const at = address.lastIndexOf("@")
    if (at < 1) return null
    const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
    return bestRoute(await routesAt(domain), local) ?? bestRoute(await movingAt(domain), local)
  }

  function windowOf(id: string): { since: number; mails: number } {
    const known = windows.get(id)
    return known && now() - known.since < minuteMs ? known : { since: now(), mails: 0 }
  }

  return {
    find,
    count(routeId) {
      const window = windowOf(routeId)
      if (windows.size >= keptMax) windows.clear()
      windows.set(routeId, window)
      window.mails += 1
      return window.mails <= limits.mailsPerMinute
    },
    async admit(address, others) {
      const route = await find(address)
      if (!route) return "unknown"
      if (!route.isLive) return "paused"
      if (windowOf(route.id).mails + others >= limits.mailsPerMinute) return "busy"
      if (route.isFull) return "full"
      return (await bytesToday(route.id)) >= limits.bytesPerDay ? "full" : "stored"
    },
  }
}

/** Answers of a function, each believed for a while; a question that failed may be asked again at once. */
function keptFor<T>(ms: number, ask: (key: string) => Promise<T>, now: () => number): (key: string) => Promise<T> {
  const kept = new Map<string, { until: number; answer: Promise<T> }>()
  return (key) => {
    const known = kept.get(key)
    if (known && known.until > now()) return known.answer
    const answer = ask(key)
    if (kept.size >= keptMax) kept.clear()
    kept.set(key, { until: now() + ms, answer })
    answer.catch(() => kept.delete(key))
    return answer
  }
}

/** A route as the listener needs it. */
type KnownRoute = {
  id: string
  projectId: string
  pattern: string
  /** False while its project is suspended or moves, or its domain is not verified: senders are asked to come back. */
  isLive: boolean
  /** Its project stores as much as it may. */
  isFull: boolean
}

/** More than one project has of routes, so that each of a few projects with the same domain is heard. */
const routesMax = 1_000

/** The routes for mail to a domain, the oldest first, of whatever project has the domain. */
async function routesOf(domain: string): Promise<KnownRoute[]> {
  const rows = await unscoped().inboundRoute.findMany({
    where: { domain, project: { deletedAt: null } },
    select: {
      ...{ id: true, projectId: true, pattern: true, domainId: true },
      project: {
        select: { suspendedAt: true, maxStoredBytes: true, sendAllowance: { select: { storedBytes: true } } },
      },
      registration: { select: { status: true } },
    },
    orderBy: { id: "asc" },
    take: routesMax,
  })
  return rows.map(({ project, registration, domainId, ...route }) => ({
    ...route,
    isFull: (project.sendAllowance?.storedBytes ?? 0n) >= project.maxStoredBytes,
    isLive: project.suspendedAt === null && (domainId === null || isProved(registration?.status)),
  }))
}

/**
 * The routes for mail to a domain of organizations that move to another cell, or have moved there. Their projects count as deleted
 * here, but the other cell takes the mail.
 */
async function movingRoutesOf(domain: string): Promise<KnownRoute[]> {
  const rows = await unscoped().inboundRoute.findMany({
    where: { domain, project: { deletedAt: { not: null } } },
    select: { id: true, projectId: true, pattern: true, project: { select: { organizationId: true } } },
    orderBy: { id: "asc" },
    take: routesMax,
  })
  if (rows.length === 0) return []
  const moves = await unscoped().cellMove.findMany({
    where: {
      organizationId: { in: rows.map(({ project }) => project.organizationId) },
      state: { in: ["held", "left", "arriving", "returning"] },
    },
    select: { organizationId: true },
  })
  const moving = new Set(moves.map(({ organizationId }) => organizationId))
  return rows
    .filter(({ project }) => moving.has(project.organizationId))
    .map(({ id, projectId, pattern }) => ({ id, projectId, pattern, isFull: false, isLive: false }))
}

function isProved(status: string | undefined): boolean {
  return status === "verified" || status === "degraded"
}

/** The oldest live route of a project that takes all mail to one of its domains. */
export async function catchAllOf(projectId: string): Promise<{ id: string; keepDays: number } | null> {
  return unscoped().inboundRoute.findFirst({
    where: {
      ...{ projectId, pattern: "*" },
      project: { deletedAt: null, suspendedAt: null },
      registration: { status: { in: ["verified", "degraded"] } },
    },
    select: { id: true, keepDays: true },
    orderBy: { id: "asc" },
  })
}

/** What came by a route since a time. */
async function routedSince(routeId: string, since: Date): Promise<{ mails: number; bytes: number }> {
  const { _count: mails, _sum } = await unscoped().inboundMessage.aggregate({
    where: { routeId, id: { gte: firstIdAt(since) } },
    _count: true,
    _sum: { size: true },
  })
  return { mails, bytes: _sum.size ?? 0 }
}

/** Whether a live route of any other kind takes the same addresses: one of this project, or of whoever has the domain too. */
export async function conflictingRoute(
  { project }: { project: { id: string } },
  { id, domain, pattern }: { id?: string; domain: string; pattern: string },
): Promise<boolean> {
  const found = await unscoped().inboundRoute.findFirst({
    where: {
      ...{ domain, pattern },
      ...(id !== undefined && { id: { not: id } }),
      project: { deletedAt: null },
      OR: [{ projectId: project.id }, { registration: { status: { in: ["verified", "degraded"] } } }],
    },
    select: { id: true },
  })
  return found !== null
}
