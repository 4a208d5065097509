import { expect, test, vi } from "vitest"
import { env, provideEnv } from "@/lib/platform/env/env"
import { databaseState } from "@/lib/platform/database/clock-sql"
import { closeDatabase, pool, transaction, unscopedTransaction } from "@/lib/platform/database/db"
import { isUnavailable } from "@/lib/platform/database/sql-errors"

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

test("the database is asked whether it takes writes, without an error", async () => {
  expect(await databaseState()).toBe("up")
  await readOnly(true)
  expect(await databaseState()).toBe("read-only")
  await readOnly(false)
  const url = env().databaseUrl
  await closeDatabase()
  provideEnv({ DATABASE_URL: "postgres://mailroom@127.0.0.1:9/mailroom" })
  expect(await databaseState()).toBe("unreachable")
  await closeDatabase()
  provideEnv({ DATABASE_URL: url })
  expect(await databaseState()).toBe("up")
})

test("every connection of the pool goes without JIT, also where DATABASE_URL has options of its own", async () => {
  const url = env().databaseUrl
  await closeDatabase()
  provideEnv({ DATABASE_URL: withParameters(url, { options: "-c work_mem=5MB" }) })
  const { rows } = await pool().query("SELECT current_setting('jit') AS jit, current_setting('work_mem') AS memory")
  expect(rows).toEqual([{ jit: "off", memory: "5MB" }])
  await closeDatabase()
  provideEnv({ DATABASE_URL: url })
})

test("a connection has our name and limits, also where DATABASE_URL has others", async () => {
  const url = env().databaseUrl
  await closeDatabase()
  const others = { application_name: "mailroom", fallback_application_name: "mailroom", statement_timeout: "60000" }
  provideEnv({ DATABASE_URL: withParameters(url, others) })
  const { rows } = await pool().query(
    "SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS limit",
  )
  expect(rows).toEqual([{ name: expect.stringMatching(/^mailroom \S+ \d+$/), limit: "5s" }])
  await closeDatabase()
  provideEnv({ DATABASE_URL: url })
})

test.each([
  ["pg", () => transaction((client) => client.query("UPDATE installation SET id = id"))],
  ["Prisma", () => unscopedTransaction((tx) => tx.$executeRaw`UPDATE installation SET id = id`)],
  ["a single statement", () => pool().query("UPDATE installation SET id = id")],
])("a server that has become read-only is unavailable, and the connection to it closed: %s", async (_, write) => {
  await readOnly(true)
  const refused = await write().catch((error: unknown) => error)
  expect(isUnavailable(refused)).toBe(true)
  await vi.waitFor(() => expect(pool().totalCount).toBe(0))
  await readOnly(false)
  await write()
})

function withParameters(databaseUrl: string, parameters: Record<string, string>): string {
  const url = new URL(databaseUrl)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** New connections find the database as a standby would be, or as it was. */
async function readOnly(on: boolean) {
  const name = new URL(env().databaseUrl).pathname.slice(1)
  await pool().query(
    `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = ${on ? "on" : "off"}; COMMIT`,
  )
  await closeDatabase()
}
