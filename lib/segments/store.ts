import { addAudit } from "@/lib/access/audit-store"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { segmentsMax, type Group } from "@/lib/segments/rules"
import type { Segment } from "@/lib/segments/schema"
import { countsOf, lockSegment, markDeleted, noCounts, setFilter, type SegmentCounts } from "@/lib/segments/segment-sql"
import type { Prisma } from "@/prisma/generated/client"

/** The counts come from `countsOf`, complete. */
const shape = {
  ...{ id: true, projectId: true, name: true, filter: true, filterVersion: true, contactCount: false },
  ...{ unsubscribedCount: false, passDueAt: false, passAttempt: false, passCursor: false, passDone: true },
  ...{ passTotal: true, passedAt: false, passedVersion: true, watchesEvents: false, deletedAt: false },
  ...{ createdAt: true, updatedAt: false },
} as const satisfies Record<Prisma.SegmentScalarFieldEnum, boolean>

type Row = Prisma.SegmentGetPayload<{ select: typeof shape }>

/** Segments, newest first. */
export async function listSegments(scope: Scope, request: PageRequest): Promise<{ data: Segment[]; total: number }> {
  const where = { deletedAt: null }
  const [rows, total] = await Promise.all([
    db(scope).segment.findMany({ where, select: shape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    db(scope).segment.count({ where }),
  ])
  const counts = await countsOf(
    scope,
    rows.map(({ id }) => id),
  )
  return { data: rows.map((row) => toSegment(row, counts.get(row.id))), total }
}

export async function findSegment(scope: Scope, id: string): Promise<Segment | null> {
  const [row, counts] = await Promise.all([
    db(scope).segment.findUnique({ where: { id, deletedAt: null }, select: shape }),
    countsOf(scope, [id]),
  ])
  return row && toSegment(row, counts.get(id))
}

/** Adds a segment; one with a filter is due for its first pass. */
export async function addSegment(
  scope: Scope,
  given: { name: string; filter?: Group },
): Promise<{ id: string } | "taken" | "full"> {
  const added = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      await lockProject(scope, tx)
      if ((await tx.segment.count({ where: { deletedAt: null } })) >= segmentsMax) return "full"
      const { id } = await tx.segment.create({ data: { id: newId(), name: given.name }, select: { id: true } })
      if (given.filter) await setFilter(scope, id, given.filter, tx)
      await addAudit(scope, { action: "segments.create", target: encodeId("seg", id), changes: { ...given } }, tx)
      return { id }
    }),
  )
  return added ?? "taken"
}

export type SegmentEdit = { name?: string; filter?: Group | null }

/** Changes what is given; another filter is due for its pass. */
export async function changeSegment(
  scope: Scope,
  id: string,
  edit: SegmentEdit,
): Promise<"changed" | "missing" | "taken"> {
  const { name, filter } = edit
  const changed = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      const segment = await lockSegment(scope, id, filter ?? null, tx)
      if (!segment) return "missing"
      if (name !== undefined) await tx.segment.updateMany({ where: { id }, data: { name } })
      if (filter !== undefined && segment.filterDiffers) await setFilter(scope, id, filter, tx)
      await addAudit(scope, { action: "segments.update", target: encodeId("seg", id), changes: { ...edit } }, tx)
      return "changed"
    }),
  )
  return changed ?? "taken"
}

/** Hides a segment at once and frees its name; `removeMembers` deletes its members. False when there is none. */
export async function hideSegment(scope: Scope, id: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const hidden = await markDeleted(scope, id, tx)
    if (hidden) await addAudit(scope, { action: "segments.delete", target: encodeId("seg", id) }, tx)
    return hidden
  })
}

function toSegment(row: Row, counts: SegmentCounts = noCounts): Segment {
  const { filter, filterVersion, passedVersion, passDone, passTotal, ...fields } = row
  return shown<Segment>()({
    ...fields,
    ...counts,
    object: "segment",
    filter: toFilter(filter),
    building: passedVersion < filterVersion ? { done: passDone, total: Math.max(passTotal, passDone) } : undefined,
  })
}

/** `setFilter` stores what the schema of filters admitted. */
function toFilter(filter: Prisma.JsonValue): Group | undefined {
  return present(filter) as Group | undefined
}
