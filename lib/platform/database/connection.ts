import { createHash } from "node:crypto"
import type { Queryable } from "@/lib/platform/database/db"
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

const names = new Map<string, string>()

/**
 * A statement that each connection parses once and, if the plan does not depend on the values, plans once. Only for texts that
 * take few forms, as every connection keeps each of them. PostgreSQL plans a LIMIT that it does not know for a tenth of the
 * table, so that belongs into the text.
 */
export function prepared(text: string, values: unknown[]): { name: string; text: string; values: unknown[] } {
  let name = names.get(text)
  if (name === undefined) {
    // By content: bundles of one process share their connections.
    name = createHash("sha256").update(text).digest("base64url").slice(0, 24)
    names.set(text, name)
  }
  return { name, text, values }
}
