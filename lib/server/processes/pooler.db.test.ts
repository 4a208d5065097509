import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { freshDatabase, type TestDatabase } from "@/e2e/support/database"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, newSending, relayAt, sendMail } from "@/e2e/support/delivery/sending"
import { freePort } from "@/e2e/support/free-port"
import { startPgBouncer, type PgBouncer } from "@/e2e/support/pgbouncer"
import { rowsOf, closeDatabase, pool, transaction, unscoped } from "@/lib/platform/database/db"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { env, provideEnv } from "@/lib/platform/env/env"
import { listen } from "@/lib/platform/jobs/notifications"
import { fitPooler, refuseUnfit } from "@/lib/server/processes/fit-database"
import { Prisma } from "@/prisma/generated/client"

const usual = env().databaseUrl
let database: TestDatabase
let bouncer: PgBouncer
beforeAll(async () => {
  database = await freshDatabase(`pooled_${randomUUID().slice(0, 8)}`)
  bouncer = await startPgBouncer({ databaseUrl: database.url, poolMode: "transaction", sessions: 3 })
})
afterAll(async () => {
  await bouncer.stop()
  await use({ DATABASE_URL: usual })
  await pool().query(`ALTER ROLE current_user IN DATABASE ${new URL(database.url).pathname.slice(1)} RESET ALL`)
  await database.drop()
})

async function use(found: Record<string, string>) {
  await closeDatabase()
  provideEnv({ DATABASE_DIRECT_URL: "", ...found })
}

test("through PgBouncer in transaction mode, sessions have our limits, and statements, transactions, Prisma and notifications work", async () => {
  await fitPooler(database.url, bouncer.url)
  await use({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url })
  const limit = Prisma.sql`SELECT current_setting('statement_timeout') AS statement, current_setting('jit') AS jit, ${1}::int AS n`
  const asked = Array.from({ length: 40 }, () => rowsOf(pool(), limit, { often: true }))
  for (const rows of await Promise.all(asked)) expect(rows).toEqual([{ statement: "5s", jit: "off", n: 1 }])
  const inside = await transaction(
    async (client) => (await client.query("SELECT current_setting('statement_timeout') AS ms")).rows,
    { statementMs: 60_000 },
  )
  expect(inside).toEqual([{ ms: "1min" }])
  expect(await unscoped().installation.count()).toBe(0)
  const heard = new Promise<string>((resolve) => {
    const say = () => pool().query("SELECT pg_notify('pooler_test', 'hello')")
    const saying = setInterval(() => void say().catch(() => undefined), 100)
    const listener = listen("pooler_test", (payload) => {
      if (!payload) return
      clearInterval(saying)
      void listener.close().then(() => resolve(payload))
    })
  })
  expect(await heard).toBe("hello")
})

test("through it, mail is accepted, claimed, delivered and recorded, whichever session each transaction gets", async () => {
  await use({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url })
  const sender = await newSending()
  const server = await faultServer({})
  const relays = relayAt(server.port)
  const sends = Array.from({ length: 40 }, (_, at) => sendMail(sender, { to: [`r${at}@lovelace.example`] }))
  const ids = (await Promise.all(sends)).flat()
  await deliverDue(relays)
  await relays.close()
  await server.close()
  const { rows } = await pool().query(
    "SELECT status, count(*)::int AS count FROM emails WHERE id = ANY ($1) GROUP BY 1",
    [ids],
  )
  expect(rows).toEqual([{ status: "delivered", count: 40 }])
})

test("of several hosts the first that answers and takes writes is used, by the start and by the pool", async () => {
  const { host, pathname } = new URL(database.url)
  const several = database.url.replace(host, `127.0.0.1:${await freePort()},${host}`)
  await refuseUnfit(`${several}?target_session_attrs=read-write`)
  await use({ DATABASE_URL: several })
  // A process learns by its first connection that a host is away.
  const first = await pool()
    .query("SELECT 1")
    .catch((error: unknown) => error)
  expect(isUnavailable(first)).toBe(true)
  expect((await pool().query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }])
  await pool().query(`ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on`)
  await closeDatabase()
  const refused = await pool()
    .query("SELECT 1")
    .catch((error: unknown) => error)
  expect(isUnavailable(refused)).toBe(true)
  await expect(refuseUnfit(several)).rejects.toThrow("accepts no writes")
})
