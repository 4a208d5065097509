import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openPostgres } from "@/lib/platform/postgres/open"
import { readRecord } from "@/lib/platform/postgres/record"

let dataDir: string
let file: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "mailroom-losses-"))
  file = join(dataDir, "postgres.json")
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const whole = { dataFolder: "postgres/18", binaries: "/usr/lib/postgresql", port: 5480, password: "secret" }

test.each([
  ["empty", ""],
  ["cut short", JSON.stringify(whole).slice(0, 60)],
  ["another file", '{"name":"mailroom"}'],
  ["full of zeros", "\0".repeat(200)],
])("a postgres.json that is %s is named, with what to do, and stays as it is", async (_, text) => {
  writeFileSync(file, text)
  await expect(openPostgres({ dataDir })).rejects.toThrow(
    `${file} is damaged. It contains the location of the database and its password: restore it from the backup.`,
  )
  expect(readFileSync(file, "utf8")).toBe(text)
  expect(existsSync(join(dataDir, "postgres"))).toBe(false)
})

test("a database without its postgres.json is refused, and no new password is written", async () => {
  mkdirSync(join(dataDir, "postgres", "18"), { recursive: true })
  await expect(openPostgres({ dataDir })).rejects.toThrow(
    /postgres\.json is missing, but a database exists in .*postgres\/18/,
  )
  expect(existsSync(file)).toBe(false)
})

test.each([
  ["missing", false],
  ["an empty mount point", true],
])("a postgres.json whose database is %s makes no new one", async (_, empty) => {
  writeFileSync(file, JSON.stringify({ ...whole, made: true }))
  if (empty) mkdirSync(join(dataDir, "postgres", "18"), { recursive: true })
  await expect(openPostgres({ dataDir })).rejects.toThrow(/missing or damaged: restore it from the backup/)
  expect(readRecord(dataDir)).toMatchObject({ password: "secret" })
  expect(existsSync(join(dataDir, "postgres", "18", "PG_VERSION"))).toBe(false)
})
