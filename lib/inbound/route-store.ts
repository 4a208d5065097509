import { unscoped } from "@/lib/platform/database/db"
import { firstIdAt } from "@/lib/platform/ids"

/** A route as the listener needs it. */
export type KnownRoute = {
  id: string
  projectId: string
  pattern: string
  /** False while its project is suspended or its domain is not verified: senders are asked to come back. */
  isLive: boolean
  /** Its project stores as much as it may. */
  isFull: boolean
}

/** More than one project has of routes, so that each of a few projects with the same domain is heard. */
const routesMax = 1_000

/** The routes for mail to a domain, the oldest first, of whatever project has the domain. */
export async function routesOf(domain: string): Promise<KnownRoute[]> {
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
export async function routedSince(routeId: string, since: Date): Promise<{ mails: number; bytes: number }> {
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
