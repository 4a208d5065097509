import { randomBytes, randomUUID } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { emptyDatabase, freshDatabase, type TestDatabase } from "@/e2e/support/database"
import { claimInstallation, storedSecretKey } from "@/lib/server/processes/prepare"

let dataDir: string
let file: string
let database: TestDatabase

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mailroom-key-"))
  file = join(dataDir, "secret-key")
  database = await freshDatabase(`key_${randomUUID().slice(0, 8)}`)
})
afterEach(async () => {
  rmSync(dataDir, { recursive: true, force: true })
  await database.drop()
})

const claim = (key: string) => claimInstallation(database.url, Buffer.from(key, "base64"))

test("a key is made once, for a database that has none, even before its first migration", async () => {
  const empty = await emptyDatabase(`key_${randomUUID().slice(0, 8)}`)
  const keys = await Promise.all([storedSecretKey(dataDir, empty.url), storedSecretKey(dataDir, database.url)])
  expect(new Set([...keys, readFileSync(file, "utf8").trim()]).size).toBe(1)
  expect(Buffer.from(keys[0], "base64")).toHaveLength(32)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir)).toEqual(["secret-key"])
  await empty.drop()
})

test("before a restore another installation's key is taken, since the database will be that one's", async () => {
  await claim(await storedSecretKey(dataDir, database.url))
  const theirs = randomBytes(32).toString("base64")
  writeFileSync(file, theirs)
  expect(await storedSecretKey(dataDir, database.url, { claims: false })).toBe(theirs)
})

test("a missing key of a database that has one is named with what to do, and none is made in its place", async () => {
  await claim(await storedSecretKey(dataDir, database.url))
  rmSync(file)
  await expect(storedSecretKey(dataDir, database.url)).rejects.toThrow(
    `${file} is missing. Restore ${file} from the backup`,
  )
  expect(existsSync(file)).toBe(false)
})

test.each([
  ["empty", "", "is damaged"],
  ["cut short", "c2hvcnQ=", "is damaged"],
  ["another installation's", randomBytes(32).toString("base64"), "holds the key of another installation"],
])("a key file that is %s is named, with no advice to make another, and stays as it is", async (_, text, what) => {
  await claim(await storedSecretKey(dataDir, database.url))
  writeFileSync(file, text)
  const error = await storedSecretKey(dataDir, database.url).then(String, (refused: Error) => refused.message)
  expect(error).toContain(`${file} ${what}`)
  expect(error).toContain("from the backup")
  expect(error).not.toContain("openssl")
  expect(readFileSync(file, "utf8")).toBe(text)
})
