import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freshDatabase, type TestDatabase } from "@/e2e/support/database"
import { startPgBouncer } from "@/e2e/support/pgbouncer"
import { byShards, hostInDatabase, pool } from "@/lib/platform/database/db"
import { processRoles } from "@/lib/platform/env/fields"
import { connectionsOf, refuseFewConnections, refuseUnfit } from "@/lib/server/processes/fit-database"
import { embeddedOptions } from "@/lib/server/processes/prepare"

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase(`fit_${randomUUID().slice(0, 8)}`)
})
afterAll(() => database.drop())

test("PostgreSQL itself is taken", async () => {
  await expect(refuseUnfit(database.url)).resolves.toBeUndefined()
})

test("a server that accepts no writes, such as a standby, is refused with what to do", async () => {
  await pool().query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = on`)
  await expect(refuseUnfit(database.url)).rejects.toThrow(/accepts no writes: it is a standby, .*Name the primary/)
  await pool().query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} RESET default_transaction_read_only`)
})

describe("a real PgBouncer", () => {
  const ours = "statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options"
  test.each([
    ["in transaction mode", "transaction", "", "refuses the settings of a connection"],
    [
      "in transaction mode that ignores what it does not know",
      "transaction",
      ours,
      "shares one connection between several clients",
    ],
    ["in session mode that ignores what it does not know", "session", ours, "drops the settings of a connection"],
  ] as const)("%s is refused at start, with what to do", async (_, poolMode, ignores, what) => {
    const bouncer = await startPgBouncer({ databaseUrl: database.url, poolMode, ignores })
    const message = await refuseUnfit(bouncer.url).then(String, (refused: Error) => refused.message)
    await bouncer.stop()
    expect(message).toContain(what)
    expect(message).toContain("name PostgreSQL's own host and port in DATABASE_URL")
  })
})

describe("connections", () => {
  const twenty = { mode: "production" as const, roles: processRoles, webProcesses: 20, dataDir: "/none" }

  test("of the embedded server follow the processes: 20 web processes have room, two keep the usual 200", () => {
    const given = (webProcesses: number) =>
      Number(embeddedOptions({ ...twenty, webProcesses }).settings?.max_connections)
    expect({ connections: connectionsOf(twenty), given: given(2) }).toEqual({ connections: 269, given: 200 })
    expect(given(20)).toBeGreaterThan(249)
  })

  test("follow the roles of a host", () => {
    const taken = (...roles: (typeof processRoles)[number][]) => connectionsOf({ ...twenty, webProcesses: 2, roles })
    expect([taken("web"), taken("worker"), taken("mail", "sandbox")]).toEqual([40, 19, 28])
  })

  test("that a database does not allow are refused with both numbers", async () => {
    const {
      rows: [limit],
    } = await pool().query("SELECT current_setting('max_connections')::int AS n")
    await expect(refuseFewConnections(database.url, twenty)).rejects.toThrow(
      `The database allows ${limit.n} connections, and this host's processes (20 web, worker, mail, sandbox) take up to 269.`,
    )
    await expect(refuseFewConnections(database.url, { ...twenty, webProcesses: 2 })).resolves.toBeUndefined()
  })

  test("of other hosts' processes that are connected count too, those of this host before its restart do not", async () => {
    const name = new URL(database.url).pathname.slice(1)
    const one = { ...twenty, webProcesses: 1 }
    const connected: pg.Client[] = []
    const connect = async (application_name: string) => {
      const client = new pg.Client({ connectionString: database.url, application_name })
      await client.connect()
      connected.push(client)
    }
    await pool().query(`CREATE ROLE ${name}_role LOGIN PASSWORD 'limited' CONNECTION LIMIT 70`)
    const url = Object.assign(new URL(database.url), { username: `${name}_role`, password: "limited" })
    await pool().query(`GRANT pg_read_all_stats TO ${name}_role`)
    for (const host of [hostInDatabase, `${hostInDatabase}${byShards}`, "host-b"])
      for (let n = 0; n < 2; n++) await connect(`mailroom ${host} 41`)
    await expect(refuseFewConnections(url.href, one), "50 + 11 of one process").resolves.toBeUndefined()
    await connect(`mailroom host-c${byShards} 7`)
    await connect("mailroom migrations")
    await expect(refuseFewConnections(url.href, one)).rejects.toThrow(
      /allows 70 connections, .* take up to 50\. 2 processes of other hosts \(host-b, host-c\) take up to 22 more\. .* at least 75/,
    )
    await expect(refuseFewConnections(url.href, { ...one, pooledDatabaseUrl: url.href })).resolves.toBeUndefined()
    await Promise.all(connected.map((client) => client.end()))
    await pool().query(`DROP ROLE ${name}_role`)
  })

  test("that the role or the database limits are refused too", async () => {
    const url = new URL(database.url)
    const name = url.pathname.slice(1)
    await pool().query(`CREATE ROLE ${name} LOGIN PASSWORD 'limited' CONNECTION LIMIT 20`)
    Object.assign(url, { username: name, password: "limited" })
    const one = { ...twenty, webProcesses: 1 }
    await expect(refuseFewConnections(url.href, one)).rejects.toThrow(
      /allows 20 connections, and .* \(1 web, worker, mail, sandbox\) take up to 50/,
    )
    await pool().query(`ALTER DATABASE ${name} CONNECTION LIMIT 15`)
    await expect(refuseFewConnections(url.href, one)).rejects.toThrow("allows 15 connections")
    await pool().query(`DROP ROLE ${name}`)
  })
})
