import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { lockNotAvailable, sqlState } from "@/lib/platform/database/sql-errors"

const usageDays = 90
/** Months that are made ahead, and how few of them are worth a warning. */
const aheadMonths = 3
const aheadMonthsLow = 2

/** Tables that are partitioned by month, and how many days they retain. */
const retentionDays = (): Record<string, number> => ({
  events: env().keepDays.events,
  delivery_attempts: env().keepDays.attempts,
  api_key_requests: usageDays,
})

/**
 * Adds the partitions of the coming months and drops those wholly past their retention. What does not get its lock within
 * 100 ms is left for the next round, so that sends never wait for it. On `pg`, because it is DDL.
 */
export async function keepPartitions(): Promise<void> {
  await pool().query("SELECT ensure_partitions(now(), now() + make_interval(months => $1))", [aheadMonths])
  const partitions = await listPartitions()
  const ahead = aheadIn(partitions)
  if (ahead < aheadMonthsLow)
    log.warn({ months: ahead }, "partitions are missing for the months ahead: something holds a lock on their tables")
  for (const { table, name, endedDaysAgo } of partitions) {
    if (endedDaysAgo >= (retentionDays()[table] ?? Infinity)) await dropPartition(name)
  }
}

/** Months after the current one that have a partition in every table. */
export async function monthsAhead(): Promise<number> {
  return aheadIn(await listPartitions())
}

type Partition = { table: string; name: string; isAhead: boolean; endedDaysAgo: number }

/** The monthly partitions, as their names say. On `pg`, because it reads the catalog. */
async function listPartitions(): Promise<Partition[]> {
  const { rows } = await pool().query<Partition>(
    `SELECT "table", name, month > now() AT TIME ZONE 'UTC' AS "isAhead",
        extract(epoch FROM now() AT TIME ZONE 'UTC' - (month + interval '1 month'))::float8 / 86400 AS "endedDaysAgo"
      FROM (SELECT i.inhparent::regclass::text AS "table", c.relname AS name, to_date(right(c.relname, 6), 'YYYYMM') AS month
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = ANY ($1::regclass[]) AND c.relname ~ '_[0-9]{6}$') AS partitions`,
    [Object.keys(retentionDays())],
  )
  return rows
}

function aheadIn(partitions: readonly Partition[]): number {
  const counts = Object.keys(retentionDays()).map(
    (table) => partitions.filter((one) => one.table === table && one.isAhead).length,
  )
  return Math.min(...counts)
}

/** Both statements are sent together, which makes them one transaction. */
async function dropPartition(name: string): Promise<void> {
  try {
    await pool().query(`SET LOCAL lock_timeout = '100ms'; DROP TABLE IF EXISTS "${name}"`)
  } catch (error) {
    if (sqlState(error) !== lockNotAvailable) throw error
    log.info({ partition: name }, "a partition past its retention is in use; it is dropped later")
  }
}
