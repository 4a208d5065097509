import { removeOfTopic } from "@/lib/consent/topics-store"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"

export type HiddenTopic = { id: string; projectId: string }

/** Topics of all projects whose preferences are still to be removed, or the one of this id. */
export async function hiddenTopics(id?: string): Promise<HiddenTopic[]> {
  return unscoped().topic.findMany({
    where: { deletedAt: { not: null }, ...(id !== undefined && { id }) },
    select: { id: true, projectId: true },
    orderBy: { id: "asc" },
    take: 10,
  })
}

/** Removes about `batch` preferences or opt-outs of a hidden topic, then the topic. False when nothing is left of it. */
export async function removeBatch({ projectId, id }: HiddenTopic, batch: number): Promise<boolean> {
  const project = db({ project: { id: projectId } })
  if (await removeOfTopic(id, batch, project)) return true
  await project.topic.deleteMany({ where: { id } })
  return false
}
