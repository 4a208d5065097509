import { unscoped } from "@/lib/platform/database/db"
import type { Prisma } from "@/prisma/generated/client"

/**
 * The database's time at this moment, for times that Prisma compares or writes: the clocks of our processes may differ from
 * it. Raw, because Prisma cannot ask for it. It serves all projects.
 */
export async function databaseTime(on: Pick<Prisma.TransactionClient, "$queryRaw"> = unscoped()): Promise<Date> {
  const [row] = await on.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`
  if (!row) throw new Error("The database did not tell its time.")
  return row.now
}

export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000)
}
