import type { Clock } from "@/lib/platform/clock"
import { removeOfTopic } from "@/lib/consent/topics-store"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"

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
 * Removes the preferences of deleted topics, of the given one or of all that wait, for at most `budgetMs`.
 * @returns whether something is left, for the next call to take up
 */
export async function removePreferences(clock: Clock, budgetMs: number, id?: string): Promise<boolean> {
  const until = clock.now().getTime() + budgetMs
  for (const topic of await hiddenTopics(id)) {
    while (await removeBatch(topic)) {
      if (clock.now().getTime() >= until) return true
    }
  }
  return false
}
