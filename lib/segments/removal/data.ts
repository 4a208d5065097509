import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { withinBudget } from "@/lib/platform/jobs/turns"

/** Members of one transaction: so long may a change of one of these contacts have to wait. */
const batch = 2_000

type HiddenSegment = { id: string; projectId: string }

/** Segments of all projects whose members are still to be removed, or the one of this id. */
async function hiddenSegments(id?: string): Promise<HiddenSegment[]> {
  return unscoped().segment.findMany({
    where: { deletedAt: { not: null }, ...(id !== undefined && { id }) },
    select: { id: true, projectId: true },
    orderBy: { deletedAt: "asc" },
    take: 10,
  })
}

/** Removes about `batch` members of a hidden segment, then the segment. False when nothing is left of it. */
async function removeBatch({ projectId, id }: HiddenSegment): Promise<boolean> {
  const project = db({ project: { id: projectId } })
  const last = await project.segmentMember.findFirst({
    where: { segmentId: id },
    select: { contactId: true },
    orderBy: { contactId: "asc" },
    skip: batch - 1,
  })
  const range = last && { contactId: { lte: last.contactId } }
  await project.segmentMember.deleteMany({ where: { segmentId: id, ...range } })
  if (last) return true
  await project.segment.deleteMany({ where: { id, deletedAt: { not: null } } })
  return false
}

/**
 * Removes the members of deleted segments, of the given one or of all that wait, for about `budgetMs`.
 * @returns whether something is left, for the next call to take up
 */
export async function removeMembers(budgetMs: number, id?: string): Promise<boolean> {
  return withinBudget(await hiddenSegments(id), removeBatch, budgetMs)
}
