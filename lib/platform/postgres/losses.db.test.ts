import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openPostgres } from "@/lib/platform/postgres/open"
import { readRecord, settle } from "@/lib/platform/postgres/record"

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

test("a database that root began outside of DATA_DIR is not replaced by an empty one for another user", () => {
  const dataFolder = join(dataDir, "elsewhere", "18")
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(join(dataFolder, "PG_VERSION"), "18\n")
  writeFileSync(file, JSON.stringify({ ...whole, dataFolder, made: true }))
  expect(settle(dataDir, null, 5480).dataFolder).toBe(dataFolder)
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

test("a database of another major version is refused with the way to move it, and stays as it is", async () => {
  mkdirSync(join(dataDir, "postgres", "15"), { recursive: true })
  writeFileSync(join(dataDir, "postgres", "15", "PG_VERSION"), "15\n")
  const text = JSON.stringify({ ...whole, dataFolder: "postgres/15", made: true })
  writeFileSync(file, text)
  await expect(openPostgres({ dataDir })).rejects.toThrow(
    `of PostgreSQL 15, and this version of Mailroom brings PostgreSQL 18. Start the version that you came from, run \`npm run --silent admin -- backup --file F\`, and stop it. Then move ${join(dataDir, "postgres")} and ${file} to another place`,
  )
  expect(readFileSync(file, "utf8")).toBe(text)
  expect(existsSync(join(dataDir, "postgres", "18"))).toBe(false)
})

test("a database that was moved away as the refusal says makes room for a new one", async () => {
  mkdirSync(join(dataDir, "away", "postgres", "15"), { recursive: true })
  writeFileSync(join(dataDir, "away", "postgres.json"), JSON.stringify(whole))
  const server = await openPostgres({ dataDir, settings: { fsync: "off", shared_buffers: "16MB" } })
  const { dataFolder, made } = readRecord(dataDir) ?? {}
  await server.close()
  expect([basename(dataFolder ?? ""), made]).toEqual(["18", true])
  if (dataFolder && !dataFolder.startsWith(dataDir)) rmSync(dirname(dataFolder), { recursive: true, force: true })
})
