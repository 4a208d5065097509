import pg from "pg"
import { beforeAll, beforeEach, expect, test, vi } from "vitest"
import { pool, transaction } from "@/lib/platform/database/db"
import { inDeadlock, makePairs } from "@/e2e/support/platform/rival"
import { isUnavailable, sqlState, withOneRetry } from "@/lib/platform/database/sql-errors"

beforeAll(makePairs)
beforeEach(() => pool().query("UPDATE pairs SET n = 0"))

test("a transaction that a deadlock ended succeeds the second time, and its first writes are undone", async () => {
  let runs = 0
  await inDeadlock(async (meet) => {
    await transaction(async (client) => {
      runs += 1
      await client.query("SET LOCAL deadlock_timeout = '400ms'")
      await client.query("UPDATE pairs SET n = n + 1 WHERE id = 1")
      if (runs === 1) meet()
      await client.query("UPDATE pairs SET n = n + 1 WHERE id = 2")
    })
  })
  expect(runs).toBe(2)
  expect((await pool().query("SELECT n FROM pairs ORDER BY id")).rows).toEqual([{ n: 11 }, { n: 11 }])
})

test("a single statement that a deadlock ended succeeds the second time", async () => {
  await inDeadlock(async (meet) => {
    meet()
    await pool().query(`DO $$ BEGIN
      PERFORM set_config('deadlock_timeout', '400ms', true);
      UPDATE pairs SET n = n + 1 WHERE id = 1;
      UPDATE pairs SET n = n + 1 WHERE id = 2;
    END $$`)
  })
  expect((await pool().query("SELECT n FROM pairs ORDER BY id")).rows).toEqual([{ n: 11 }, { n: 11 }])
})

test("the second run leaves the winner of the deadlock 20 ms to take the locks it waits for", async () => {
  const runs: number[] = []
  const lost = Object.assign(new pg.DatabaseError("deadlock detected", 0, "error"), { code: "40P01" })
  await withOneRetry(async () => {
    if (runs.push(performance.now()) === 1) throw lost
  })
  expect(runs).toHaveLength(2)
  expect((runs[1] ?? 0) - (runs[0] ?? 0)).toBeGreaterThanOrEqual(19)
})

test("a conflict that comes again is answered after the second run, with 503", async () => {
  let runs = 0
  const error = await transaction(async (client) => {
    runs += 1
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    await client.query("SELECT n FROM pairs WHERE id = 1")
    await pool().query("UPDATE pairs SET n = n + 1 WHERE id = 1")
    await client.query("UPDATE pairs SET n = n + 1 WHERE id = 1")
  }).catch((raised: unknown) => raised)
  expect({ runs, sqlState: sqlState(error), isUnavailable: isUnavailable(error) }).toEqual({
    runs: 2,
    sqlState: "40001",
    isUnavailable: true,
  })
})

test("every other failure is not run again", async () => {
  const work = vi.fn(() => Promise.reject(new pg.DatabaseError("no", 0, "error")))
  await expect(transaction(work)).rejects.toThrow("no")
  expect(work).toHaveBeenCalledTimes(1)
})
