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
