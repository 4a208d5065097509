import { afterAll, expect, test } from "vitest"
import { env, provideEnv } from "@/lib/platform/env/env"
import { databaseAnswers } from "@/lib/platform/database/clock-sql"
import { closeDatabase, pool, transaction } from "@/lib/platform/database/db"
import { isUnavailable } from "@/lib/platform/database/sql-errors"

afterAll(closeDatabase)

test("a connection that ends between two statements of a transaction fails that transaction and nothing else", async () => {
  const failing = transaction(async (client) => {
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid")
    const ended = new Promise((resolve) => client.once("end", resolve))
    await pool().query("SELECT pg_terminate_backend($1)", [rows[0].pid])
    await ended
    await client.query("SELECT 1")
  })
  const error = await failing.catch((error: unknown) => error)
  expect(isUnavailable(error)).toBe(true)
  expect((await pool().query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
})

test("the database is asked whether it answers without an error", async () => {
  expect(await databaseAnswers()).toBe(true)
  const url = env().databaseUrl
  await closeDatabase()
  provideEnv({ DATABASE_URL: "postgres://mailroom@127.0.0.1:9/mailroom" })
  expect(await databaseAnswers()).toBe(false)
  await closeDatabase()
  provideEnv({ DATABASE_URL: url })
  expect(await databaseAnswers()).toBe(true)
})
