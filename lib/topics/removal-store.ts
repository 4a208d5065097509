import { removeOfTopic } from "@/lib/consent/topics-store"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { withinBudget } from "@/lib/platform/jobs/budget"

/** Rows of one statement. */
const batch = 5_000

type HiddenTopic = { id: string; projectId: string }

/** Topics of all projects whose preferences are still to be removed, or the one of this id. */
async function hiddenTopics(id?: string): Promise<HiddenTopic[]> {
  return unscoped().topic.findMany({
    where: { deletedAt: { not: null }, ...(id !== undefined && { id }) },
    select: { id: true, projectId: true },
    orderBy: { id: "asc" },
    take: 10,
  })
}

/** Removes about `batch` preferences or opt-outs of a hidden topic, then the topic. False when nothing is left of it. */
async function removeBatch({ projectId, id }: HiddenTopic): Promise<boolean> {
  const project = db({ project: { id: projectId } })
  if (await removeOfTopic(id, batch, project)) return true
  await project.topic.deleteMany({ where: { id } })
  return false
}

/**
 * Removes the preferences of deleted topics, of the given one or of all that wait, for about `budgetMs`.
 * @returns whether something is left, for the next call to take up
 */
export async function removePreferences(budgetMs: number, id?: string): Promise<boolean> {
  return withinBudget(await hiddenTopics(id), removeBatch, budgetMs)
}
