import pg from "pg"
import { expect, vi } from "vitest"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"

/** A table of two rows to lock. */
export async function makePairs(): Promise<void> {
  await pool().query(
    "CREATE TABLE pairs (id int PRIMARY KEY, n int NOT NULL DEFAULT 0); INSERT INTO pairs (id) VALUES (1), (2)",
  )
}

/** A session of its own beside the pool; what it has not committed is undone at the end. */
export async function withRival<T>(work: (rival: pg.Client) => Promise<T>): Promise<T> {
  const rival = new pg.Client({ connectionString: env().databaseUrl })
  await rival.connect()
  try {
    return await work(rival)
  } finally {
    await rival.end()
  }
}

/**
 * Another session holds the second pair, and wants the first one as soon as `work`, which has said `meet`, waits for the
 * second. The other session looks for deadlocks so late that `work` is the one to lose.
 */
export function inDeadlock<T>(work: (meet: () => void) => Promise<T>): Promise<T> {
  return withRival(async (rival) => {
    await rival.query("BEGIN; SET LOCAL deadlock_timeout = '10s'; UPDATE pairs SET n = n + 10 WHERE id = 2")
    let met: Promise<unknown> = Promise.resolve()
    const meet = () => (met = oneWaits().then(() => rival.query("UPDATE pairs SET n = n + 10 WHERE id = 1; COMMIT")))
    return work(meet).finally(() => met)
  })
}

/** Returns once a session waits for a lock. */
export async function oneWaits(): Promise<void> {
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  await vi.waitFor(async () => expect((await pool().query(waiting)).rowCount).toBe(1), { interval: 5, timeout: 5_000 })
}
