import type { Queryable } from "@/lib/platform/database/db"

/** Rows of one statement, so that nobody waits long for its locks. */
const rowsMax = 500

/**
 * What a project owns in one table, a batch at a time; answers how many rows it deleted, and null when that was the last
 * batch. The area that owns the table declares it, the worker runs it once the project is to be removed.
 */
export type RemovalStep = { table: string; run(on: Queryable, projectId: string): Promise<number | null> }

/**
 * Deletes the rows of a project in the order of an index over `project_id` and these columns. Raw, because Prisma has no
 * deletions in batches.
 * @param partitioned its rows are found by their ids: places of rows are not unique over partitions
 * @param batch rows of a statement, fewer where each may weigh mebibytes
 */
export function removal(
  table: string,
  order: string,
  { partitioned = false, batch = rowsMax }: { partitioned?: boolean; batch?: number } = {},
): RemovalStep {
  const row = partitioned ? "id" : "ctid"
  const text = `DELETE FROM ${table} WHERE project_id = $1 AND ${row} = ANY (ARRAY(
      SELECT ${row} FROM ${table} WHERE project_id = $1 ORDER BY ${order} LIMIT $2))`
  return {
    table,
    async run(on, projectId) {
      const { rowCount } = await on.query(text, [projectId, batch])
      return rowCount === batch ? batch : null
    },
  }
}
