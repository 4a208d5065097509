import { addAudit } from "@/lib/access/audit/data"
import { conflictingRoute } from "@/lib/inbound/route-store"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Region } from "@/lib/regions/regions"
import { routesMax, type InboundRoute } from "@/lib/received/routes/schema"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  ...{ id: true, projectId: true, domainId: true, domain: true, pattern: true, webhookId: true, keepDays: true },
  ...{ createdAt: true, updatedAt: true },
} as const satisfies Record<Prisma.InboundRouteScalarFieldEnum, boolean>

/** The region's listener takes the domain's mail. */
const routeShape = { ...shape, registration: { select: { region: true } } } as const

export type RouteRow = Prisma.InboundRouteGetPayload<{ select: typeof shape }>

/** What is stored of a route; the record of its domain, and what came by it, are added where routes are read. */
export type StoredRoute = Omit<InboundRoute, "mx"> & { domainId: string | null; region: Region | null }

/** Newest first; of one domain, if it is given. */
export async function readRoutes(
  scope: Scope,
  request: PageRequest,
  domainId?: string,
): Promise<{ data: StoredRoute[]; total: number }> {
  const where = domainId === undefined ? {} : { domainId }
  const { rows, total } = await counted(
    request,
    db(scope).inboundRoute.findMany({ where, select: routeShape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).inboundRoute.count({ where }),
  )
  return { data: await Promise.all(rows.map((row) => toRoute(scope, row))), total }
}

export async function findRoute(scope: Scope, id: string): Promise<StoredRoute | null> {
  const row = await db(scope).inboundRoute.findUnique({ where: { id }, select: routeShape })
  return row && toRoute(scope, row)
}

export function findRouteRow(scope: InProject, id: string): Promise<RouteRow | null> {
  return db(scope).inboundRoute.findUnique({ where: { id }, select: shape })
}

/** The names of the project's domains, with the region of each: of the verified ones alone mail can be taken. */
export function routableDomains(scope: InProject): Promise<{ id: string; name: string }[]> {
  return db(scope).domain.findMany({
    where: { status: { in: ["verified", "degraded"] } },
    select: { id: true, name: true },
    take: domainsMax,
  })
}

const domainsMax = 1_000

export type RoutePlan = Pick<RouteRow, "domainId" | "domain" | "pattern" | "webhookId" | "keepDays">

export async function addRoute(scope: Scope, plan: RoutePlan): Promise<StoredRoute | "taken" | "full"> {
  if (await conflictingRoute(scope, plan)) return "taken"
  const added = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      await lockProject(scope, tx)
      if ((await tx.inboundRoute.count()) >= routesMax) return "full"
      const row = await tx.inboundRoute.create({ data: { id: newId(), ...plan }, select: routeShape })
      await addAudit(scope, { action: "inbound_route.created", target: targetOf(row.id), changes: changesOf(plan) }, tx)
      return row
    }),
  )
  if (added === null) return "taken"
  return added === "full" ? added : toRoute(scope, added)
}

export type RouteEdit = Partial<Pick<RouteRow, "pattern" | "webhookId" | "keepDays">>

/** Null where there is no such route. */
export async function changeRoute(scope: Scope, id: string, edit: RouteEdit): Promise<StoredRoute | "taken" | null> {
  const stored = await findRouteRow(scope, id)
  if (!stored) return null
  if (edit.pattern !== undefined && (await conflictingRoute(scope, { ...stored, ...edit }))) return "taken"
  const row = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      const changed = await tx.inboundRoute.updateMany({ where: { id }, data: edit })
      if (!changed.count) return "gone"
      await addAudit(scope, { action: "inbound_route.updated", target: targetOf(id), changes: changesOf(edit) }, tx)
      return (await tx.inboundRoute.findUnique({ where: { id }, select: routeShape })) ?? "gone"
    }),
  )
  if (row === null) return "taken"
  return row === "gone" ? null : toRoute(scope, row)
}

/** What it has received stays for as long as it said. */
export async function removeRoute(scope: Scope, id: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const [row] = await tx.inboundRoute.findMany({ where: { id }, select: { domain: true, pattern: true } })
    const { count } = await tx.inboundRoute.deleteMany({ where: { id } })
    if (count && row)
      await addAudit(scope, { action: "inbound_route.deleted", target: targetOf(id), changes: changesOf(row) }, tx)
    return count > 0
  })
}

function targetOf(id: string): string {
  return encodeId("inr", id)
}

function changesOf({ pattern, domain, webhookId, keepDays }: Partial<RoutePlan>) {
  return {
    ...(pattern !== undefined && { match: pattern }),
    ...{ domain, keepDays },
    ...(webhookId !== undefined && { webhookId: webhookId && encodeId("whk", webhookId) }),
  }
}

type RoutedRow = Prisma.InboundRouteGetPayload<{ select: typeof routeShape }>

async function toRoute(
  scope: InProject,
  { pattern, webhookId, registration, ...row }: RoutedRow,
): Promise<StoredRoute> {
  const [last, webhook] = await Promise.all([
    db(scope).inboundMessage.findFirst({
      where: { routeId: row.id },
      select: { receivedAt: true },
      orderBy: { id: "desc" },
    }),
    webhookId === null
      ? null
      : db(scope).webhook.findUnique({ where: { id: webhookId, deletedAt: null }, select: { id: true } }),
  ])
  return shown<StoredRoute>()({
    ...row,
    match: pattern,
    address: `${pattern}@${row.domain}`,
    webhookId: webhook?.id,
    test: row.domainId === null,
    lastReceivedAt: present(last && last.receivedAt),
    region: registration && (registration.region as Region),
  })
}
