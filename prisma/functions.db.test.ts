import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { pool } from "@/lib/platform/database/db"

const folder = join(import.meta.dirname, "functions")
const files = readdirSync(folder).map((file) => ({
  name: file.slice(0, -".sql".length),
  sql: readFileSync(join(folder, file), "utf8"),
}))

test("every function of the database has its file, and every file its function", async () => {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT p.proname AS name FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual(files.map(({ name }) => name).sort())
})

test("every trigger is made in the file of its function", async () => {
  const { rows } = await pool().query<{ trigger: string; function: string }>(
    `SELECT t.tgname AS trigger, p.proname AS function FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE NOT t.tgisinternal`,
  )
  const written = files.flatMap(({ name, sql }) =>
    [...sql.matchAll(/^CREATE (?:OR REPLACE|CONSTRAINT) TRIGGER (\w+)/gm)].map(([, trigger]) => `${name}: ${trigger}`),
  )
  expect(rows.map((row) => `${row.function}: ${row.trigger}`).sort()).toEqual(written.sort())
})

test("accept_emails plans once a connection, by index", async () => {
  const { rows } = await pool().query("SELECT proconfig FROM pg_proc WHERE proname = 'accept_emails'")
  expect(rows).toEqual([{ proconfig: ["plan_cache_mode=force_generic_plan", "enable_seqscan=off"] }])
})
