import type { Queryable } from "@/lib/platform/database/db"
import { prepared } from "@/lib/platform/database/prepared"
import type { Prisma } from "@/prisma/generated/client"

/** A transaction of `pg`, or one of Prisma: in a project, or above them. */
export type Connection = Queryable | Pick<Prisma.TransactionClient, "$queryRaw">

/**
 * Runs one statement in either kind of transaction, for what hot paths on `pg` and stores on Prisma share. `often`: its text has
 * few forms, so `pg` prepares it.
 */
export async function rowsOf<Row extends object>(
  on: Connection,
  statement: Prisma.Sql,
  { often = false } = {},
): Promise<Row[]> {
  if (!("query" in on)) return on.$queryRaw<Row[]>(statement)
  const { text, values } = statement
  const { rows } = await on.query<Row>(often ? prepared(text, values) : { text, values })
  return rows
}
