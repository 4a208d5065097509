import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { guideSamples } from "@/e2e/support/guide-samples"
import { nobody } from "@/lib/docs/reader-rules"

const schedule = guideSamples(nobody).find(({ guide, name }) => guide === "sending" && name === "schedule")?.code ?? ""

/** As on macOS, where -d sets the daylight saving time of another age, and -r is a time in seconds. */
const dateOfMacOs = `#!/bin/sh
case "$*" in
  *-d*) echo "date: illegal option -- d" >&2; exit 1 ;;
  "-u -r "*) shift 2; exec /bin/date -u -d "@$1" "$2" ;;
  *) exec /bin/date "$@" ;;
esac
`

test.each([
  ["Linux", null],
  ["macOS", dateOfMacOs],
])("the sample that schedules an email names a time a day ahead on %s", (_, date) => {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-sample-"))
  const add = (name: string, script: string) => {
    writeFileSync(join(folder, name), script)
    chmodSync(join(folder, name), 0o755)
  }
  if (date) add("date", date)
  add("curl", `#!/bin/sh\nprintf '%s\\n' "$*" >> ${folder}/sent; echo '{"id":"email_1"}'\n`)
  try {
    const env = { PATH: `${folder}:/usr/bin:/bin`, KEY: "k", NODE_ENV: "test" as const }
    execFileSync("bash", ["-ec", schedule], { env, stdio: "pipe" })
    const sent = readFileSync(join(folder, "sent"), "utf8")
    const at = Date.parse(/"scheduledAt": "(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/.exec(sent)?.[1] ?? "")
    expect(Math.abs(at - Date.now() - 86_400_000)).toBeLessThan(60_000)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
