import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { unscoped } from "@/lib/platform/database/db"
import { Prisma } from "@/prisma/generated/client"

/**
 * The database's time, to store or to compare with: all processes share that clock. Within a transaction it is the time at
 * which it began. Raw, because Prisma does not read clocks.
 */
export async function databaseTime(on: Connection = unscoped()): Promise<Date> {
  // Rounded like the columns, so that it equals what the database writes in the same transaction.
  const [row] = await rowsOf<{ now: Date }>(on, Prisma.sql`SELECT transaction_timestamp()::timestamptz(3) AS now`)
  if (!row) throw new Error("The database answered no time.")
  return row.now
}
