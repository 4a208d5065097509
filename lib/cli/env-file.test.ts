import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { readEnvFile } from "./env-file.mjs"

let folder = ""
const names = ["ENV_FILE_ONE", "ENV_FILE_TWO", "ENV_FILE_THREE"] as const

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailroom-env-"))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
  for (const name of names) delete process.env[name]
})

function valuesAfter(command: string) {
  readEnvFile(folder, command)
  return names.map((name) => process.env[name])
}

test.each(["start", "dev", "admin", "demo"])(
  "%s reads .env of its folder, and what the environment has already wins",
  (command) => {
    writeFileSync(join(folder, ".env"), '# a comment\nENV_FILE_ONE=direct:\nENV_FILE_TWO="a b"\nENV_FILE_THREE=file\n')
    process.env.ENV_FILE_THREE = "own"
    expect(valuesAfter(command)).toEqual(["direct:", "a b", "own"])
  },
)

test("a byte order mark before the first variable is none of its name", () => {
  writeFileSync(join(folder, ".env"), "\uFEFFENV_FILE_ONE=direct:\nENV_FILE_TWO=b\n")
  expect(valuesAfter("start")).toEqual(["direct:", "b", undefined])
})

test.each(["build", "check", "test", "bench"])("%s leaves .env alone", (command) => {
  writeFileSync(join(folder, ".env"), "ENV_FILE_ONE=direct:\n")
  expect(valuesAfter(command)).toEqual([undefined, undefined, undefined])
})

test("without .env nothing is set", () => {
  expect(readEnvFile(folder, "start")).toBe(false)
})
