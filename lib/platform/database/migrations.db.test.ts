import { createHash, randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeEach, expect, it } from "vitest"
import { emptyDatabase, type TestDatabase } from "@/e2e/support/database"
import { migrate, type Migration } from "@/lib/platform/database/migrations"

const first: Migration = { name: "0001_first", sql: "create table first (id int); insert into first values (1);" }
const second: Migration = { name: "0002_second", sql: "create table second (id int)" }
const databases: TestDatabase[] = []
let url = ""

beforeEach(async () => {
  const database = await emptyDatabase(`migrations_${randomUUID().slice(0, 8)}`)
  databases.push(database)
  url = database.url
})

afterAll(() => Promise.all(databases.map((database) => database.drop())))

it("applies in order what is missing, once, and writes it down as Prisma would", async () => {
  expect(await migrate(url, [first])).toEqual(["0001_first"])
  expect(await migrate(url, [first, second])).toEqual(["0002_second"])
  expect(await migrate(url, [first, second])).toEqual([])
  const rows = await ask(
    "select migration_name, checksum, applied_steps_count, finished_at is not null as finished from _prisma_migrations order by started_at",
  )
  const checksum = createHash("sha256").update(first.sql).digest("hex")
  expect(rows[0]).toEqual({ migration_name: "0001_first", checksum, applied_steps_count: 1, finished: true })
  expect(await ask("select id from first")).toEqual([{ id: 1 }])
})

it("applies each once when several processes start together", async () => {
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, [first, second])))
  expect(applied.flat().sort()).toEqual(["0001_first", "0002_second"])
})

it("refuses a migration that was changed after it was applied", async () => {
  await migrate(url, [first])
  await expect(migrate(url, [{ ...first, sql: `${first.sql} -- changed` }, second])).rejects.toThrow(
    /0001_first was changed/,
  )
  expect(await ask("select to_regclass('second') as second")).toEqual([{ second: null }])
})

it("refuses a database that a newer version has migrated", async () => {
  await migrate(url, [first, second])
  await expect(migrate(url, [first])).rejects.toThrow(/0002_second/)
})

it("takes a failed migration back whole and keeps those before it", async () => {
  const broken = { name: "0002_broken", sql: "create table half (id int); select no_such_column;" }
  await expect(migrate(url, [first, broken])).rejects.toThrow(/0002_broken failed/)
  expect(await ask("select to_regclass('half') as half, to_regclass('first') is not null as first")).toEqual([
    { half: null, first: true },
  ])
})

async function ask(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
