import pg from "pg"
import { beforeAll, expect, test, vi } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { figures } from "@/e2e/support/chaos/figures"
import { onDebianPostgres } from "@/e2e/support/debian-postgres"
import { freePort } from "@/e2e/support/free-port"
import { addBelongings } from "@/e2e/support/examples"
import { api, newSession, newWorld } from "@/e2e/support/world"
import { pool, transaction } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { dropConstraints, tables, type Table } from "@/e2e/support/platform/any-row"
import { runWorker } from "@/lib/worker/run"

/** From here on PostgreSQL compiles a statement, where it has JIT; and where the planner is told not to scan, it adds 10^10. */
const costMax = 100_000
const rowsOfEach = size(500, 20_000)

type Seen = { text: string; values: unknown[]; settings: Record<string, string>; cost: number; isForced: boolean }
type Plan = { "Total Cost": number; Disabled?: boolean; Plans?: Plan[] }
type Explained = { Plan: Plan; Settings?: Record<string, string> }

const seen = new Map<string, Seen>()
const stop = new AbortController()

// Each statement is explained on its own connection before it runs, as its transaction has set up the planner.
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...given: unknown[]) {
  const [config, second] = given as [string | { text: string; values?: unknown[] }, unknown]
  const { text, values = [] } = typeof config === "string" ? { text: config } : config
  const own = Array.isArray(second) ? second : values
  if (/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(text) && !seen.has(text)) {
    seen.set(text, { text, values: own, settings: {}, cost: 0, isForced: false })
    query.call(
      this,
      { text: `EXPLAIN (SETTINGS, FORMAT JSON) ${text}`, values: own },
      (_: unknown, found?: pg.QueryResult) => {
        const explained = found?.rows[0]?.["QUERY PLAN"][0] as Explained | undefined
        if (explained) seen.set(text, { text, values: own, ...read(explained) })
      },
    )
  }
  return query.apply(this, given)
} as never)

beforeAll(async () => {
  log.level = "silent"
  provideEnv({ SANDBOX_DNS_PORT: String(await freePort()), SANDBOX_SMTP_PORT: String(await freePort()) })
  const world = await newWorld()
  await addBelongings(world, await newSession(world.userId))
  const body = { from: "a@acme.test", subject: "Hello", text: "Hello." }
  const to = ["delivered", "bounced", "complained"].map((name) => `${name}@simulator.mailroom.test`)
  seen.clear()
  const worker = runWorker(stop.signal)
  const { status } = await api("POST /v1/emails", { key: world.apiKey, body: { ...body, to } })
  expect(status).toBe(201)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  stop.abort()
  await worker
})

test("no statement of a loop costs more than 100,000 on a fresh database, and none is planned against the planner's settings", () => {
  expect(dear([...seen.values()])).toEqual([])
  expect(seen.size).toBeGreaterThan(80)
})

test.runIf(size(onDebianPostgres(), true))(`nor on one with ${rowsOfEach} rows in every table`, async () => {
  const statements = [...seen.values()]
  await dropConstraints()
  for (const table of (await tables()).values()) await fill(table)
  await pool().query("ANALYZE")
  const filled = await transaction(async (client) => {
    const all: Seen[] = []
    for (const { text, values, settings } of statements) {
      await client.query("SAVEPOINT explaining")
      for (const [name, value] of Object.entries(settings)) await client.query(`SET LOCAL ${name} = '${value}'`)
      const { rows } = await client.query(`EXPLAIN (SETTINGS, FORMAT JSON) ${text}`, values)
      all.push({ text, values, ...read(rows[0]["QUERY PLAN"][0] as Explained) })
      await client.query("ROLLBACK TO SAVEPOINT explaining")
    }
    return all
  })
  expect(dear(filled)).toEqual([])
  figures("statements of the loops", {
    statements: filled.length,
    "greatest cost": Math.max(...filled.map(({ cost }) => cost)),
  })
})

function read({ Plan, Settings = {} }: Explained): Pick<Seen, "settings" | "cost" | "isForced"> {
  return { settings: Settings, cost: Plan["Total Cost"], isForced: isForced(Plan) }
}

/** PostgreSQL 18 marks what it does although it is told not to, instead of adding to its cost. */
function isForced({ Disabled = false, Plans = [] }: Plan): boolean {
  return Disabled || Plans.some(isForced)
}

function dear(statements: Seen[]): unknown[] {
  return statements
    .filter(({ cost, isForced }) => cost > costMax || isForced)
    .map(({ text, cost, isForced }) => ({ text: text.replace(/\s+/g, " ").slice(0, 300), cost, isForced }))
}

/** Rows with other values in every column, of a few projects. Their ids are of this month, for tables in partitions. */
async function fill({ name, columns }: Table) {
  const values = columns.map(({ name: column, type }) =>
    column === "project_id" ? "md5((n % 5)::text)::uuid" : valueOf(type),
  )
  await pool().query(
    `INSERT INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(", ")}) OVERRIDING SYSTEM VALUE
      SELECT ${values.join(", ")} FROM generate_series(2, $1::int + 1) n ON CONFLICT DO NOTHING`,
    [rowsOfEach],
  )
}

function valueOf(type: string): string {
  if (type.endsWith("[]")) return "'{}'"
  if (type === "uuid")
    return "overlay(gen_random_uuid()::text placing left(first_id_at(now())::text, 14) from 1 for 14)::uuid"
  if (type === "boolean") return "n % 2 = 0"
  if (type === "bytea") return "decode(md5(n::text), 'hex')"
  if (type === "jsonb") return "'{}'"
  if (/^timestamp|^date/.test(type)) return "now() + make_interval(mins => n)"
  return /int|double|numeric|real/.test(type) ? "n" : "md5(n::text)"
}
