import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { adminCommands } from "@/lib/cli/admin-commands"
import { processRoles } from "@/lib/platform/env/fields"
import { readArguments } from "@/lib/cli/arguments.mjs"

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> }
const names = Object.keys(scripts).filter((name) => !name.includes(":"))

describe.each(names)("%s", (name) => {
  test("prints what it takes for --help, wherever that stands", () => {
    for (const given of [["--help"], ["-h"], ["nonsense", "--help"]])
      expect(readArguments([name, ...given]).print).toContain(name)
  })

  test.runIf(name !== "admin")("refuses an argument that it does not know, and lists what it takes", () => {
    for (const given of ["--nonsense", "nonsense", "--port=3000", "--longer", "-x", ""]) {
      const { error, print } = readArguments([name, given])
      expect({ print, error }).toEqual({
        print: undefined,
        error: expect.stringContaining(`${name} does not take "${given}".`),
      })
    }
    expect(readArguments([name])).toEqual({})
  })
})

test("start takes the roles of a host, in any combination", () => {
  expect(readArguments(["start", ...processRoles])).toEqual({})
  expect(readArguments(["start", "worker"])).toEqual({})
  for (const role of processRoles) expect(readArguments(["start", "--help"]).print).toContain(`  ${role}`)
})

test("each declared option is taken, with its value", () => {
  expect(readArguments(["bench", "--quick", "--only", "sends,log"])).toEqual({})
  expect(readArguments(["bench", "--only=sends"])).toEqual({})
  expect(readArguments(["bench", "--only"]).error).toContain("needs a value")
  expect(readArguments(["test", "--long"])).toEqual({})
  expect(readArguments(["test", "--long=1"]).error).toContain("--long")
  expect(readArguments([])).toEqual({})
})

test("an unknown command is an error with the list of all", () => {
  const { error } = readArguments(["strat"])
  for (const name of names) expect(error).toContain(name)
})

test("the help of admin lists its commands", () => {
  for (const name of Object.keys(adminCommands)) expect(readArguments(["admin", "--help"]).print).toContain(`  ${name}`)
})

test("--help ends the process without starting or installing anything", () => {
  const run = (...given: string[]) =>
    spawnSync(process.execPath, ["lib/cli/launch.mjs", ...given], { encoding: "utf8", timeout: 10_000 })
  const help = run("start", "--help")
  expect({ status: help.status, stdout: help.stdout, stderr: help.stderr }).toEqual({
    status: 0,
    stdout: expect.stringContaining("Start Mailroom."),
    stderr: "",
  })
  const wrong = run("start", "--prot", "80")
  expect({ status: wrong.status, stdout: wrong.stdout, stderr: wrong.stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining('"--prot"'),
  })
})
