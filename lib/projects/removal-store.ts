import { addSystemAudit } from "@/lib/access/audit-store"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { transaction, unscoped, unscopedTransaction, type Queryable } from "@/lib/platform/database/db"
import { restorableSince } from "@/lib/platform/database/deleted-projects"
import { tryLock } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { encodeId } from "@/lib/platform/ids"

export type RemovableProject = { id: string; organizationId: string; name: string; slug: string }

const isOver = async () => ({ deletedAt: { lte: restorableSince(await databaseTime()) } })

const lockOf = (projectId: string) => `mailroom.remove_project${projectId}`

/** Projects that can no longer be restored, the one deleted first at the front. */
export async function removableProjects(): Promise<RemovableProject[]> {
  return unscoped().project.findMany({
    where: await isOver(),
    select: { id: true, organizationId: true, name: true, slug: true },
    orderBy: { deletedAt: "asc" },
    take: 10,
  })
}

/**
 * Runs one batch of the removal of a project in a transaction of its own; null where another worker does one at this moment.
 * On `pg`, because Prisma has no deletions in batches.
 */
export function oneBatch<T>(projectId: string, work: (on: Queryable) => Promise<T>): Promise<{ done: T } | null> {
  return transaction(async (client) =>
    (await tryLock(lockOf(projectId), client)) ? { done: await work(client) } : null,
  )
}

/** Deletes the row of a project whose belongings are removed, and records it; false where another worker is at it. */
export async function removeEmptied({ id, organizationId, name, slug }: RemovableProject): Promise<boolean> {
  const over = await isOver()
  return unscopedTransaction(async (tx) => {
    if (!(await tryLock(lockOf(id), tx))) return false
    const { count } = await tx.project.deleteMany({ where: { id, ...over } })
    const entry = { action: "project.removed", target: encodeId("proj", id), changes: { name, slug } }
    if (count) await addSystemAudit({ organizationId, projectId: id }, entry, db({ project: { id } }, tx))
    return true
  })
}
