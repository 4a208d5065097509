import type { Queryable } from "@/lib/platform/database/db"
import { dayMs } from "@/lib/platform/time"

/**
 * The statement that deletes a batch of rows; those that another transaction has locked are left out, or waited for. Raw, because
 * Prisma has no deletions in batches, and neither SKIP LOCKED nor ctid: the plan of a join with a list of keys would depend on
 * estimates.
 * @param from the table, its condition, and how many in which order
 * @param by the column that finds the rows, "id" for a partitioned table: places of rows are not unique over partitions
 */
export function deletionOf(from: string, { by = "ctid", locked = "skip" }: Options = {}): string {
  const [table = ""] = from.split(" ")
  return `DELETE FROM ${table} WHERE ${by} = ANY (ARRAY(SELECT ${by} FROM ${from} ${locks[locked]}))`
}

type Options = { by?: "ctid" | "id"; locked?: keyof typeof locks }

const locks = { skip: "FOR UPDATE SKIP LOCKED", wait: "FOR UPDATE" }

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

/** Maximum rows that one statement of a step changes, so that its locks are held briefly. */
export const batchMax = 500

/**
 * One kind of row whose retention has ended, a batch at a time, oldest first; returns how many it changed. The worker runs it.
 */
export type RetentionStep = { name: string; run(on: Queryable): Promise<number> }

/**
 * Deletes rows of all projects.
 * @param from the table and its condition; $1 is the batch, `values` follow
 */
export function deletion(
  name: string,
  from: string,
  values: readonly (() => number)[] = [],
  batch = batchMax,
): RetentionStep {
  return step(name, deletionOf(`${from} LIMIT $1`), values, batch)
}

/**
 * Empties rows of all projects, which themselves stay: `emptied_at` tells that it is done.
 * @param from the table and its condition; $1 is the batch, `values` follow
 */
export function emptying(
  name: string,
  set: string,
  from: string,
  values: readonly (() => number)[],
  batch = batchMax,
): RetentionStep {
  const [table = ""] = from.split(" ")
  const text = `UPDATE ${table} SET ${set}, emptied_at = now()
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${from} LIMIT $1 FOR UPDATE SKIP LOCKED))`
  return step(name, text, values, batch)
}

/**
 * Deletes rows of these parents, of all projects: each parent's by an index that begins with its id, however many parents there are. Raw,
 * because Prisma has no LATERAL.
 * @param where condition of a row, whose parent is `parent`; $1 is the batch, `values` follow
 * @param of the parents' table with the alias `parent`, and their condition
 */
export function deletionWithin(
  name: string,
  table: string,
  { where, of }: { where: string; of: readonly [table: string, condition: string] },
  values: readonly (() => number)[] = [],
): RetentionStep {
  const [parents, condition] = of
  const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT r.ctid FROM ${parents} CROSS JOIN LATERAL (
      SELECT ctid FROM ${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED) r WHERE ${condition} LIMIT $1))`
  return step(name, text, values)
}

/** A step of one statement, over all projects: $1 is the batch, `values` follow. A full batch counts as `batchMax`. */
export function step(
  name: string,
  text: string,
  values: readonly (() => number)[] = [],
  batch = batchMax,
): RetentionStep {
  return {
    name,
    async run(on) {
      const { rowCount } = await on.query(text, [batch, ...values.map((value) => value())])
      return rowCount === batch ? batchMax : (rowCount ?? 0)
    },
  }
}

/** Deletes rows older than so many days, the oldest first, in the order of the index over the time `column`. */
export function agedDeletion(name: string, table: string, column: string, days: () => number): RetentionStep {
  return deletion(name, `${table} WHERE ${column} < now() - make_interval(days => $2) ORDER BY ${column}`, [days])
}

/** For so many days a deleted project can be restored; then it is removed with everything it owns. */
export const daysToRestore = 7

const msToRestore = daysToRestore * dayMs

/** When a project that was deleted at this time is removed. */
export function removalOf(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + msToRestore)
}

/** Projects that were deleted later than this can be restored now. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - msToRestore)
}
