import type { AuditEntry } from "@/lib/access/audit/schema"
import { unscoped } from "@/lib/platform/database/db"
import { shown } from "@/lib/platform/database/shape"
import { cursorSlice, type CursorSlice } from "@/lib/platform/http/cursor-page"
import type { CursorPosition } from "@/lib/platform/http/cursors"
import type { Scope } from "@/lib/platform/http/scope"
import { firstIdAt } from "@/lib/platform/ids"
import { encodeId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  organizationId: false,
  projectId: true,
  actorKind: true,
  actorId: true,
  action: true,
  target: true,
  changes: true,
  ip: true,
  requestId: true,
  createdAt: true,
} as const satisfies Record<Prisma.AuditEntryScalarFieldEnum, boolean>

type Row = Prisma.AuditEntryGetPayload<{ select: typeof shape & { link: { select: { position: true } } } }>

export type AuditFilter = {
  action?: string | undefined
  actor?: string | undefined
  target?: string | undefined
  project?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** Entries of the scope's organization, newest first. */
export async function listEntries(
  scope: Scope,
  filter: AuditFilter,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<AuditEntry>> {
  const back = position?.direction === "previous"
  const where = { ...conditionsOf(scope, filter), AND: [] as Prisma.AuditEntryWhereInput[] }
  const beyond = position && { id: back ? { gt: position.key } : { lt: position.key } }
  const beside = position && { id: back ? { lte: position.key } : { gte: position.key } }
  const [rows, other] = await Promise.all([
    unscoped().auditEntry.findMany({
      where: { ...where, AND: beyond ? [beyond] : [] },
      select: { ...shape, link: { select: { position: true } } },
      orderBy: { id: back ? "asc" : "desc" },
      take: size + 1,
    }),
    beside ? unscoped().auditEntry.findFirst({ where: { ...where, AND: [beside] }, select: { id: true } }) : null,
  ])
  const names = await namesOf(rows)
  return cursorSlice(
    position,
    size,
    rows.map((row) => toEntry(row, names)),
    other !== null,
  )
}

function conditionsOf(
  scope: Scope,
  { action, actor, target, project, from, to }: AuditFilter,
): Prisma.AuditEntryWhereInput {
  return {
    organizationId: scope.organization.id,
    // An area is all its actions: `api_key` is `api_key.created` and the others.
    ...(action && (action.includes(".") ? { action } : { action: { startsWith: `${action}.` } })),
    ...(actor && { actorId: actor }),
    ...(target && { target }),
    ...(project && { projectId: project }),
    ...((from || to) && {
      id: { ...(from && { gte: firstIdAt(from) }), ...(to && { lt: firstIdAt(new Date(to.getTime() + 1)) }) },
    }),
  }
}

type Names = Map<string, string | null>

/** The addresses of people and the names of keys, as they are now. */
async function namesOf(rows: Row[]): Promise<Names> {
  const ids = (kind: string) => [...new Set(rows.flatMap((row) => (row.actorKind === kind ? (row.actorId ?? []) : [])))]
  const [users, keys] = await Promise.all([
    unscoped().user.findMany({ where: { id: { in: ids("user") } }, select: { id: true, email: true } }),
    unscoped().apiKey.findMany({ where: { id: { in: ids("key") } }, select: { id: true, name: true } }),
  ])
  return new Map([
    ...users.map(({ id, email }) => [id, email] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ])
}

function toEntry({ actorKind, actorId, changes, projectId, link, ...row }: Row, names: Names): AuditEntry {
  const id = actorId && (actorKind === "key" ? encodeId("key", actorId) : encodeId("usr", actorId))
  return shown<AuditEntry>()({
    id: row.id,
    at: row.createdAt,
    action: row.action,
    actor: { kind: actorKind, id: id ?? undefined, name: (actorId && names.get(actorId)) || undefined },
    projectId: present(projectId),
    target: present(row.target),
    changes: changesOf(changes),
    ip: present(row.ip),
    requestId: present(row.requestId),
    position: link ? Number(link.position) : undefined,
  })
}

/** This area writes changes as objects alone. */
function changesOf(json: Prisma.JsonValue): Record<string, unknown> | undefined {
  return json === null ? undefined : (json as Record<string, unknown>)
}
