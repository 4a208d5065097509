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
  expect([writeDurably(path, "one"), writeDurably(path, "two")]).toEqual([true, true])
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual([
    "two",
    0o600,
    ["record.json"],
  ])
})

test("an exclusive write keeps an existing file", () => {
  const path = join(folder, "key")
  expect([writeDurably(path, "first", { exclusive: true }), writeDurably(path, "second", { exclusive: true })]).toEqual(
    [true, false],
  )
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["first", ["key"]])
})

test("a file that cannot be renamed leaves the old one and no temporary file", () => {
  expect(() => writeDurably(join(folder, "none", "record.json"), "x")).toThrow("ENOENT")
  expect(() => writeDurably(folder, "x")).toThrow()
  expect(readdirSync(folder)).toEqual([])
})
