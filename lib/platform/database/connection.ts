import type { Queryable } from "@/lib/platform/database/db"
import type { Prisma } from "@/prisma/generated/client"

/** A transaction of `pg`, or one of Prisma: in a project, or above them. */
export type Connection = Queryable | Pick<Prisma.TransactionClient, "$queryRaw">

/** Runs one statement in either kind of transaction, for what hot paths on `pg` and stores on Prisma share. */
export async function rowsOf<Row extends object>(on: Connection, statement: Prisma.Sql): Promise<Row[]> {
  if (!("query" in on)) return on.$queryRaw<Row[]>(statement)
  const { rows } = await on.query<Row>({ text: statement.text, values: statement.values })
  return rows
}
