import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { selectUnitTests } from "@/lib/cli/checks/unit-selection"

let root = ""
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "mailroom-selection-"))
  for (const folder of ["app", "components", "prisma"]) mkdirSync(join(root, folder))
  write("package.json", "{}")
  write("package-lock.json", "{}")
  write("vitest.config.ts", "")
  write("e2e/support/vitest-waits.ts", "")
  write("lib/deep.ts", "export const deep = 1")
  write("lib/near.ts", 'export { deep } from "@/lib/deep"')
  write("lib/near.test.ts", 'import { deep } from "./near"\nconsole.log(deep)')
  write("lib/alone.test.tsx", "console.log(1)")
  write("lib/reader.test.ts", 'import { readFileSync } from "node:fs"\nconsole.log(readFileSync("README.md"))')
  write("lib/other.db.test.ts", "")
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const chosen = async () => (await selectUnitTests(root)).files.toSorted()
const passAll = async () => (await selectUnitTests(root)).remember()

test("all unit tests are run the first time, and then those that read files", async () => {
  expect(await chosen()).toEqual(["lib/alone.test.tsx", "lib/near.test.ts", "lib/reader.test.ts"])
  await passAll()
  expect(await chosen()).toEqual(["lib/reader.test.ts"])
})

test.each([
  ["a file that it reaches by others", "lib/deep.ts", ["lib/near.test.ts", "lib/reader.test.ts"]],
  ["the test itself", "lib/alone.test.tsx", ["lib/alone.test.tsx", "lib/reader.test.ts"]],
  ["the packages", "package-lock.json", ["lib/alone.test.tsx", "lib/near.test.ts", "lib/reader.test.ts"]],
])("a change of %s runs a test again until it passes", async (_, path, files) => {
  await passAll()
  write(path, "console.log(2)\nexport const deep = 2")
  expect(await chosen()).toEqual(files)
  expect(await chosen(), "what did not pass is not forgotten").toEqual(files)
  await passAll()
  expect(await chosen()).toEqual(["lib/reader.test.ts"])
})
