import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeAll, expect, test, vi } from "vitest"
import { newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { newId } from "@/lib/platform/ids"

let world: World
let topicId = ""

beforeAll(async () => {
  world = await newWorld()
})
afterEach(() => {
  vi.useRealTimers()
})

test("every default time is that of the database's transaction, in the tables and in the schema", async () => {
  const { rows } = await pool().query<{ text: string }>(
    "SELECT DISTINCT pg_get_expr(adbin, adrelid) AS text FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid WHERE c.relname !~ '^_'",
  )
  const times = rows.map(({ text }) => text).filter((text) => /now\(|timestamp/i.test(text))
  expect(times).toEqual(["transaction_timestamp()"])
  const folder = join(import.meta.dirname, "schema")
  for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), "utf8")).not.toContain("now()")
})

test("what Prisma writes has the database's time, whatever the clock of the application says", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 })
  const id = newId()
  const topics = db({ project: { id: world.projectId } }).topic
  const made = await topics.create({
    data: { id, name: "News", defaultSubscription: "opt_in", updatedAt: new Date(0) },
  })
  const changed = await topics.update({ where: { id }, data: { name: "Weekly news" } })
  vi.useRealTimers()
  for (const time of [made.createdAt, changed.updatedAt]) {
    expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(600_000)
  }
})

test("a change of what people write moves updated_at, in the answer too", async () => {
  await aged()
  const { rows } = await pool().query(
    "UPDATE topics SET name = name WHERE id = $1 RETURNING updated_at = now()::timestamptz(3) AS moved",
    [topicId],
  )
  expect(rows).toEqual([{ moved: true }])
})

test("counters leave updated_at alone, and a statement that sets it has its way", async () => {
  await aged()
  await pool().query("UPDATE topics SET opt_in_count = opt_in_count + 1, deleted_at = now() WHERE id = $1", [topicId])
  expect(await year()).toBe(2020)
  await pool().query("UPDATE topics SET name = 'Then', updated_at = '2021-06-01' WHERE id = $1", [topicId])
  expect(await year()).toBe(2021)
})

test("an insert that meets a row of the same key moves its updated_at", async () => {
  await aged()
  const contactId = newId()
  await pool().query("INSERT INTO contacts (id, project_id, email) VALUES ($1, $2, 'ada@x.example')", [
    contactId,
    world.projectId,
  ])
  const choose = `INSERT INTO topic_preferences (project_id, topic_id, contact_id, subscription, updated_at)
    VALUES ($1, $2, $3, 'opt_in', '2020-01-01')
    ON CONFLICT (project_id, topic_id, contact_id) DO UPDATE SET subscription = 'opt_out' RETURNING updated_at`
  const values = [world.projectId, topicId, contactId]
  expect((await pool().query(choose, values)).rows[0].updated_at.getUTCFullYear()).toBe(2020)
  expect((await pool().query(choose, values)).rows[0].updated_at.getTime()).toBeGreaterThan(Date.now() - 60_000)
})

test("every table with updated_at has the trigger, but those that workers write", async () => {
  const { rows } = await pool().query<{ table: string; triggers: number }>(
    `SELECT c.relname AS "table", (SELECT count(*)::int FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
        WHERE t.tgrelid = c.oid AND p.proname = 'touch') AS triggers
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'updated_at'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  )
  const without = ["deliveries", "emails", "opening_hours", "webhook_deliveries"]
  expect(rows).toEqual(rows.map(({ table }) => ({ table, triggers: without.includes(table) ? 0 : 1 })))
  expect(rows.length).toBe(19)
})

/** A topic that was last changed in 2020. */
async function aged() {
  topicId = newId()
  await pool().query(
    "INSERT INTO topics (id, project_id, name, default_subscription, updated_at) VALUES ($1, $2, 'News', 'opt_in', '2020-01-01')",
    [topicId, world.projectId],
  )
}

async function year(): Promise<number> {
  const { rows } = await pool().query("SELECT updated_at FROM topics WHERE id = $1", [topicId])
  return rows[0].updated_at.getUTCFullYear()
}
