import { isDeepStrictEqual } from "node:util"
import { addAudit } from "@/lib/access/audit-store"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { transaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { shown } from "@/lib/platform/database/shape"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { segmentsMax, watchesEvents, type Group } from "@/lib/segments/rules"
import type { Segment } from "@/lib/segments/schema"
import { insertSegment, lockSegment, readSegments, type CountedSegment } from "@/lib/segments/segment-sql"
import { Prisma } from "@/prisma/generated/client"

/** Segments, newest first. */
export async function listSegments(scope: Scope, request: PageRequest): Promise<{ data: Segment[]; total: number }> {
  const where = { deletedAt: null }
  const { rows, total } = await counted(
    request,
    db(scope).segment.findMany({ where, select: { id: true }, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).segment.count({ where }),
  )
  const ids = rows.map(({ id }) => id)
  const segments = await readSegments(scope.project.id, ids)
  return { data: ids.flatMap((id) => segments.get(id) ?? []).map(toSegment), total }
}

export async function findSegment(scope: Scope, id: string): Promise<Segment | null> {
  const segment = (await readSegments(scope.project.id, [id])).get(id)
  return segment ? toSegment(segment) : null
}

/** The segments of a project whose members follow a filter. */
export async function filteredSegments(projectId: string): Promise<string[]> {
  const rows = await db({ project: { id: projectId } }).segment.findMany({
    where: { filter: { not: Prisma.DbNull } },
    select: { id: true },
    orderBy: { id: "asc" },
  })
  return rows.map(({ id }) => id)
}

/** The segments of a contact, without those that it was removed from and those that are being deleted. */
export async function segmentsOf(scope: Scope, contactId: string): Promise<string[]> {
  const rows = await db(scope).segmentMember.findMany({
    where: { contactId, origin: { not: "removed" }, segment: { deletedAt: null } },
    select: { segmentId: true },
    orderBy: { segmentId: "asc" },
  })
  return rows.map(({ segmentId }) => segmentId)
}

/** Adds a segment; one with a filter is due for its first pass. */
export async function addSegment(
  scope: Scope,
  given: { name: string; filter?: Group },
): Promise<Segment | "taken" | "full"> {
  const added = await nullIfTaken(
    transaction(async (client) => {
      await lockProject(scope, client)
      const segment = await insertSegment(scope.project.id, { id: newId(), ...given }, segmentsMax, client)
      if (!segment) return "full"
      const entry = { action: "segments.create", target: encodeId("seg", segment.id), changes: { ...given } }
      await addAudit(scope, entry, client)
      return toSegment(segment)
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
      const segment = await lockSegment(scope.project.id, id, tx)
      if (!segment || segment.deletedAt) return "missing"
      if (name !== undefined) await tx.segment.updateMany({ where: { id }, data: { name } })
      if (filter !== undefined && !isDeepStrictEqual(filter, segment.filter)) await setFilter(id, filter, tx)
      await addAudit(scope, { action: "segments.update", target: encodeId("seg", id), changes: { ...edit } }, tx)
      return "changed"
    }),
  )
  return changed ?? "taken"
}

/** Hides a segment at once and frees its name; `removeMembers` deletes its members. False when there is none. */
export async function hideSegment(scope: Scope, id: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const hidden = await markDeleted(id, tx)
    if (hidden) await addAudit(scope, { action: "segments.delete", target: encodeId("seg", id) }, tx)
    return hidden
  })
}

/** Sets a filter, whose pass is due at once. */
async function setFilter(id: string, filter: Group | null, tx: ScopedDb): Promise<void> {
  await tx.segment.updateMany({
    where: { id },
    data: {
      filter: filter ?? Prisma.DbNull,
      filterVersion: { increment: 1 },
      watchesEvents: filter !== null && watchesEvents(filter),
      passDueAt: await databaseTime(tx),
      passAttempt: { increment: 1 },
      passCursor: null,
      passDone: 0,
      passTotal: 0,
    },
  })
}

/** Frees the name; without its filter nothing adds members to the segment any more. */
async function markDeleted(id: string, tx: ScopedDb): Promise<boolean> {
  const { count } = await tx.segment.updateMany({
    where: { id, deletedAt: null },
    data: {
      deletedAt: await databaseTime(tx),
      name: `deleted ${id}`,
      filter: Prisma.DbNull,
      watchesEvents: false,
      passDueAt: null,
      passAttempt: { increment: 1 },
    },
  })
  return count === 1
}

function toSegment(row: CountedSegment): Segment {
  const { filter, filterVersion, passedVersion, passDone, passTotal, ...fields } = row
  return shown<Segment>()({
    ...fields,
    object: "segment",
    filter: toFilter(filter),
    building: passedVersion < filterVersion ? { done: passDone, total: Math.max(passTotal, passDone) } : undefined,
  })
}

/** `setFilter` stores what the schema of filters admitted. */
function toFilter(filter: Prisma.JsonValue): Group | undefined {
  return present(filter) as Group | undefined
}
