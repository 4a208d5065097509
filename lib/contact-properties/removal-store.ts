import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

/** Hides the property at once; its values are removed afterwards. False when there is none. */
export async function hideProperty(scope: Scope, id: string): Promise<boolean> {
  const data = { deletedAt: await databaseTime() }
  const { count } = await db(scope).contactProperty.updateMany({ where: { id, deletedAt: null }, data })
  return count === 1
}

export type HiddenProperty = { id: string; projectId: string; key: string }

/** Properties of all projects whose values are still to be removed, or the one of this id. */
export async function hiddenProperties(id?: string): Promise<HiddenProperty[]> {
  return unscoped().contactProperty.findMany({
    where: { deletedAt: { not: null }, ...(id !== undefined && { id }) },
    select: { id: true, projectId: true, key: true },
    orderBy: { id: "asc" },
    take: 10,
  })
}

/** Deletes a hidden property whose values have been removed. */
export async function deleteProperty({ id, projectId }: HiddenProperty): Promise<void> {
  await db({ project: { id: projectId } }).contactProperty.deleteMany({ where: { id } })
}
