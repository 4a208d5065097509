import { spawnSync } from "node:child_process"
import { mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, test } from "vitest"

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "mailroom-print-"))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Exit code of a process whose terminal is a file on a disk without room, and that prints three sentences. */
async function exitCodeOf(first: string): Promise<number | null> {
  const contents = `import { print, surviveTerminal } from "@/lib/server/processes/print"
    ${first}
    for (let at = 0; at < 3; at++) print("PostgreSQL ended; starting it again.")
    setTimeout(() => process.exit(7), 100)`
  const outfile = join(folder, "prints.mjs")
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  })
  return spawnSync(process.execPath, [outfile], { stdio: ["ignore", "ignore", openSync("/dev/full", "w")] }).status
}

test("a full disk behind the terminal does not end the process that keeps the others alive", async () => {
  expect(await exitCodeOf("")).not.toBe(7)
  expect(await exitCodeOf("surviveTerminal()")).toBe(7)
})
