import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeEach, expect, it } from "vitest"
import { emptyDatabase, type TestDatabase } from "@/e2e/support/database"
import { migrate } from "@/lib/platform/database/migrations"
import type { SqlFile } from "@/lib/platform/database/function-files"

const table: SqlFile = { name: "0001_table", sql: "create table things (id int, note text)" }
const later: SqlFile = { name: "0002_later", sql: "create table later (id int)" }
const caller: SqlFile = { name: "answer", sql: returning("answer", "select number() + 1") }
const called: SqlFile = { name: "number", sql: returning("number", "select 41") }
const databases: TestDatabase[] = []
let url = ""

beforeEach(async () => {
  const database = await emptyDatabase(`functions_${randomUUID().slice(0, 8)}`)
  databases.push(database)
  url = database.url
})

afterAll(() => Promise.all(databases.map((database) => database.drop())))

it("applies functions that call each other in any order, with their triggers, after the migrations", async () => {
  const noted = {
    name: "note",
    sql: `create or replace function note() returns trigger language plpgsql as $$
      begin new.note := 'answer ' || answer(); return new; end $$;
      create or replace trigger things_note before insert on things for each row execute function note();`,
  }
  const calls = { name: "after-functions", sql: "insert into things (id) select answer()" }
  await apply([table], [caller, noted, called, calls])
  expect(await ask("select id, note from things")).toEqual([{ id: 42, note: "answer 42" }])
})

it("applies again only what has changed", async () => {
  await apply([table], [caller, called])
  const before = await times()
  await apply([table], [caller, { ...called, sql: returning("number", "select 1") }])
  const after = await times()
  expect(after.answer).toEqual(before.answer)
  expect(after.number).not.toEqual(before.number)
  expect(await ask("select answer()")).toEqual([{ answer: 2 }])
})

it("changes no function when one of the files fails", async () => {
  await apply([table], [called])
  const broken = {
    name: "oops",
    sql: "create or replace function oops() returns no_such_type language sql as 'select 1'",
  }
  const changed = { ...called, sql: returning("number", "select 1") }
  await expect(apply([table], [changed, broken])).rejects.toThrow(
    /functions in oops.sql could not be applied: .*no_such_type/,
  )
  expect(await ask("select number()")).toEqual([{ number: 41 }])
})

it("changes no function of a database that a newer version has migrated", async () => {
  await apply([table, later], [{ ...called, sql: returning("number", "select 43") }, caller])
  await apply([table], [called])
  expect(await ask("select number(), answer()")).toEqual([{ number: 43, answer: 44 }])
  expect(Object.keys(await times())).toEqual(["number", "answer"])
})

it("leaves the function of a removed file, and applies the file again when it comes back", async () => {
  await apply([table], [caller, called])
  await apply([table], [called])
  expect(await ask("select answer()")).toEqual([{ answer: 42 }])
  await ask("drop function answer()")
  await apply([table], [caller, called])
  expect(await ask("select answer()")).toEqual([{ answer: 42 }])
})

it("applies each once when several processes start together", async () => {
  const counting = { name: "after-functions", sql: "insert into things (id) values (1)" }
  await Promise.all([1, 2, 3, 4].map(() => apply([table], [called, counting])))
  expect(await ask("select count(*)::int as n from things")).toEqual([{ n: 1 }])
})

function returning(name: string, body: string): string {
  return `create or replace function ${name}() returns int language sql as $$ ${body} $$;`
}

function apply(migrations: SqlFile[], functions: SqlFile[]) {
  return migrate(url, { migrations, functions })
}

async function times(): Promise<Record<string, Date>> {
  const rows = await ask("select name, applied_at from _mailroom_functions")
  return Object.fromEntries((rows as { name: string; applied_at: Date }[]).map((row) => [row.name, row.applied_at]))
}

async function ask(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
