import { addActivity } from "@/lib/contacts/write-sql"
import { transaction, type Queryable } from "@/lib/platform/database/db"
import { foreignKeyViolation, sqlState } from "@/lib/platform/database/sql-errors"
import type { Scope } from "@/lib/platform/http/scope"
import { join, leave, type SegmentName } from "@/lib/segments/data"

/** Adds a contact to segments manually, which overrides any filter. Where it was added already, nothing changes. */
export async function joinSegments(
  projectId: string,
  contactId: string,
  segments: readonly SegmentName[],
  on: Queryable,
): Promise<void> {
  if (!segments.length) return
  const joined = await join(projectId, { contactIds: [contactId], segmentIds: segments.map(({ id }) => id) }, on)
  const entries = segments.flatMap(({ id, name }) =>
    joined.has(id) ? [{ type: "segment_added", referenceId: id, referenceName: name }] : [],
  )
  await addActivity(projectId, contactId, entries, on)
}

/** As `joinSegments`, by itself; false when contact or segment has been deleted meanwhile. */
export function addMember(scope: Scope, contactId: string, segment: SegmentName): Promise<boolean> {
  return whileBothExist((tx) => joinSegments(scope.project.id, contactId, [segment], tx))
}

/** Removes a contact from a segment manually, which overrides any filter. False when either has been deleted meanwhile. */
export function removeMember(scope: Scope, contactId: string, segment: SegmentName): Promise<boolean> {
  return whileBothExist(async (tx) => {
    if (!(await leave(scope.project.id, contactId, segment, tx))) return
    const entry = { type: "segment_removed", referenceId: segment.id, referenceName: segment.name }
    await addActivity(scope.project.id, contactId, [entry], tx)
  })
}

/** Runs `work` in a transaction; false when a row that it refers to has been deleted meanwhile. */
async function whileBothExist(work: (tx: Queryable) => Promise<void>): Promise<boolean> {
  try {
    await transaction(work)
    return true
  } catch (error) {
    if (sqlState(error) === foreignKeyViolation) return false
    throw error
  }
}
