import { rowsOf, type Connection, pool, unscoped } from "@/lib/platform/database/db"
import { sharedRead } from "@/lib/platform/jobs/batches"
import { Prisma } from "@/prisma/generated/client"

/**
 * The database's time, to store or to compare with: all processes share that clock. Within a transaction it is the time at
 * which it began. Outside of one, reads that ask in the same iteration of the event loop share a statement.
 */
export async function databaseTime(transaction?: Connection): Promise<Date> {
  const time = transaction ? await startOf(transaction) : await sharedTime("", "now")
  if (!time) throw new Error("The database answered no time.")
  return time
}

const sharedTime = sharedRead(async () => new Map([["now", await startOf(unscoped())]]))

/** The time at which a transaction began; a single statement is one by itself. */
const startOf = (on: Connection) => timeOf(Prisma.sql`transaction_timestamp()`, on)

/** The database's time at this moment, within a transaction too: for what follows the wait for a lock. */
export function currentTime(on: Connection): Promise<Date> {
  return timeOf(Prisma.sql`clock_timestamp()`, on)
}

/** Whether the database answers and can be written to, unlike a standby. */
export type DatabaseState = "up" | "read-only" | "unreachable"

/** Raw and on `pg`: a question about health must cost little while the process has much to do. */
export async function databaseState(): Promise<DatabaseState> {
  try {
    const asked = Prisma.sql`SELECT current_setting('transaction_read_only') AS "readOnly"`
    const [row] = await rowsOf<{ readOnly: string }>(pool(), asked)
    return row?.readOnly === "off" ? "up" : "read-only"
  } catch {
    return "unreachable"
  }
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
