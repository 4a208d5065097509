import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool, unscoped } from "@/lib/platform/database/db"
import { sharedRead } from "@/lib/platform/database/shared-reads"
import { Prisma } from "@/prisma/generated/client"

/**
 * The database's time, to store or to compare with: all processes share that clock. Within a transaction it is the time at
 * which it began; outside of one, whoever asks at once shares a statement.
 */
export async function databaseTime(transaction?: Connection): Promise<Date> {
  if (transaction) return beginOf(transaction)
  const time = await timeNow("", "")
  if (!time) throw new Error("The database answered no time.")
  return new Date(time)
}

const timeNow = sharedRead(async () => new Map([["", await beginOf(unscoped())]]))

const beginOf = (on: Connection) => timeOf(Prisma.sql`transaction_timestamp()`, on)

/** The database's time at this moment, within a transaction too: for what follows the wait for a lock. */
export function currentTime(on: Connection): Promise<Date> {
  return timeOf(Prisma.sql`clock_timestamp()`, on)
}

/** Whether the database answers. On `pg`: a question about health must cost little while the process has much to do. */
export async function databaseAnswers(): Promise<boolean> {
  return beginOf(pool()).then(
    () => true,
    () => false,
  )
}

/** Raw, because Prisma does not read clocks. */
async function timeOf(clock: Prisma.Sql, on: Connection): Promise<Date> {
  // Rounded like the columns, so that it equals what the database writes in the same transaction.
  const [row] = await rowsOf<{ now: Date }>(on, Prisma.sql`SELECT ${clock}::timestamptz(3) AS now`)
  if (!row) throw new Error("The database answered no time.")
  return row.now
}

export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000)
}
