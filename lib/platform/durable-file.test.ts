import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { writeDurably } from "@/lib/platform/durable-file"

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "mailroom-durable-"))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test("a file is replaced whole, for its owner alone, with nothing left beside it", () => {
  const path = join(folder, "record.json")
  expect(writeDurably(path, "one")).toBe(true)
  expect(writeDurably(path, "two")).toBe(true)
  expect(readFileSync(path, "utf8")).toBe("two")
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(["record.json"])
})

test("an exclusive write keeps an existing file", () => {
  const path = join(folder, "key")
  expect(writeDurably(path, "first", { exclusive: true })).toBe(true)
  expect(writeDurably(path, "second", { exclusive: true })).toBe(false)
  expect(readFileSync(path, "utf8")).toBe("first")
  expect(readdirSync(folder)).toEqual(["key"])
})

test("a file that cannot be renamed leaves the old one and no temporary file", () => {
  expect(() => writeDurably(join(folder, "none", "record.json"), "x")).toThrow("ENOENT")
  expect(() => writeDurably(folder, "x")).toThrow()
  expect(readdirSync(folder)).toEqual([])
})
