import { pool, transaction } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { lockNotAvailable, sqlState } from "@/lib/platform/database/sql-errors"

const usageDays = 90
/** Months that are made ahead, and how few of them are worth a warning. */
const aheadMonths = 3
const aheadMonthsLow = 2

/**
 * Adds the partitions of the coming months and drops those wholly past their retention. What does not get its lock within
 * 100 ms is left for the next round, so that sends never wait for it. On `pg`, because it is DDL.
 */
export async function keepPartitions(): Promise<void> {
  await pool().query("SELECT ensure_partitions(now(), now() + make_interval(months => $1))", [aheadMonths])
  const ahead = await monthsAhead()
  if (ahead < aheadMonthsLow)
    log.warn({ months: ahead }, "partitions are missing for the months ahead: something holds a lock on their tables")
  await dropBefore("events", env().keepDays.events)
  await dropBefore("delivery_attempts", env().keepDays.attempts)
  await dropBefore("api_key_requests", usageDays)
}

/** Months after the current one that have a partition in every table. On `pg`, because it reads the catalog. */
export async function monthsAhead(): Promise<number> {
  const { rows } = await pool().query<{ months: number }>(
    `SELECT min(ahead)::int AS months FROM (
        SELECT count(c.oid) FILTER (WHERE to_date(right(c.relname, 6), 'YYYYMM') > now() AT TIME ZONE 'UTC') AS ahead
          FROM unnest(ARRAY['events', 'delivery_attempts', 'api_key_requests']) AS parent
          LEFT JOIN pg_inherits i ON i.inhparent = parent::regclass LEFT JOIN pg_class c ON c.oid = i.inhrelid
          GROUP BY parent) counted`,
  )
  return rows[0]?.months ?? 0
}

async function dropBefore(parent: string, days: number): Promise<void> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = $1::regclass AND c.relname ~ '_[0-9]{6}$'
        AND to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= now() AT TIME ZONE 'UTC' - make_interval(days => $2)`,
    [parent, days],
  )
  for (const { name } of rows) await dropPartition(name)
}

async function dropPartition(name: string): Promise<void> {
  try {
    await transaction(async (client) => {
      await client.query("SET LOCAL lock_timeout = '100ms'")
      await client.query(`DROP TABLE IF EXISTS "${name}"`)
    })
  } catch (error) {
    if (sqlState(error) !== lockNotAvailable) throw error
    log.info({ partition: name }, "a partition past its retention is in use; it is dropped later")
  }
}
