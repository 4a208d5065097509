import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"
import { expect, test } from "@playwright/test"

// Takes half a minute: the whole bench runs, on its own data and ports, for moments of each measurement.
test("the bench measures everything beside its floor, and leaves the data folder of a person alone", async () => {
  test.skip(process.env.MAILROOM_LONG !== "1", "part of npm run test:long")
  test.setTimeout(300_000)
  const hadData = existsSync(".data")
  const { stdout } = await promisify(execFile)(process.execPath, ["lib/cli/launch.mjs", "bench", "--quick"], {
    env: { ...process.env, MAILROOM_LONG: "" },
  })
  const rows = stdout.trim().split("\n").slice(2)
  expect(rows).toHaveLength(31)
  for (const row of rows) expect(row).not.toContain("NaN")
  expect(existsSync(".data")).toBe(hadData)
})
