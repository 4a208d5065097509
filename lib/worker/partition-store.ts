import { pool } from "@/lib/platform/db"
import { env } from "@/lib/platform/env"

const usageDays = 90

/** Makes the partitions of the months to come and drops those that lie wholly before what is kept. */
export async function keepPartitions(): Promise<void> {
  await pool().query("SELECT ensure_partitions(now(), now() + interval '3 months')")
  await dropBefore("events", env().keepDays.events)
  await dropBefore("delivery_attempts", env().keepDays.attempts)
  await dropBefore("api_key_requests", usageDays)
}

async function dropBefore(parent: string, days: number): Promise<void> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = $1::regclass AND c.relname ~ '_[0-9]{6}$'
        AND to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= now() AT TIME ZONE 'UTC' - make_interval(days => $2)`,
    [parent, days],
  )
  for (const { name } of rows) await pool().query(`DROP TABLE IF EXISTS "${name}"`)
}
