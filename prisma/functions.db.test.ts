import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { pool } from "@/lib/platform/database/db"
import { firstIdAt } from "@/lib/platform/ids"

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

test("first_id_at is the bound that the application reckons, for every time that a request can name", async () => {
  const times = ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"]
  const { rows } = await pool().query<{ id: string }>(
    "SELECT first_id_at(given) AS id FROM unnest($1::timestamptz[]) WITH ORDINALITY AS t(given, place) ORDER BY place",
    [times],
  )
  expect(rows.map(({ id }) => id)).toEqual(times.map((time) => firstIdAt(new Date(time))))
})

test("accept_emails plans once a connection, by index", async () => {
  const { rows } = await pool().query("SELECT proconfig FROM pg_proc WHERE proname = 'accept_emails'")
  expect(rows).toEqual([{ proconfig: ["plan_cache_mode=force_generic_plan", "enable_seqscan=off"] }])
})
