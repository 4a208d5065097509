import type { Queryable } from "@/lib/platform/database/db"
import { deletionOf } from "@/lib/platform/database/deletion-sql"

/** Maximum rows per statement, so that its locks are held briefly. */
const rowsMax = 500

/**
 * What a project owns in one table, a batch at a time; answers how many rows it deleted, and null when that was the last
 * batch. The worker runs it once the project is to be removed.
 */
export type RemovalStep = { table: string; run(on: Queryable, projectId: string): Promise<number | null> }

/**
 * Deletes the rows of a project in the order of an index over `project_id` and these columns.
 * @param batch rows of a statement, fewer where each may weigh mebibytes
 */
export function removal(
  table: string,
  order: string,
  { partitioned = false, batch = rowsMax }: { partitioned?: boolean; batch?: number } = {},
): RemovalStep {
  const from = `${table} WHERE project_id = $1 ORDER BY ${order} LIMIT $2`
  const text = deletionOf(from, { by: partitioned ? "id" : "ctid", locked: "wait" })
  return {
    table,
    async run(on, projectId) {
      const { rowCount } = await on.query(text, [projectId, batch])
      return rowCount === batch ? batch : null
    },
  }
}
