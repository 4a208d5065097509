import type { Queryable } from "@/lib/platform/database/db"

/** Rows that one statement of a step changes at most, so that nobody waits long for its locks. */
export const batchMax = 500

/**
 * One kind of row whose retention has ended, a batch at a time, oldest first; answers how many it changed. The area that
 * owns the table declares it, the worker runs it.
 */
export type RetentionStep = { name: string; run(on: Queryable): Promise<number> }

/**
 * Deletes rows of all projects. Raw, because Prisma has neither SKIP LOCKED nor ctid: the plan of a join with a list of
 * keys would depend on estimates.
 * @param from the table and its condition; $1 is the batch, `values` follow
 */
export function deletion(name: string, from: string, ...values: (() => number)[]): RetentionStep {
  const [table = ""] = from.split(" ")
  const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${from} LIMIT $1 FOR UPDATE SKIP LOCKED))`
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
  return deletion(name, `${table} WHERE ${column} < now() - make_interval(days => $2) ORDER BY ${column}`, days)
}
