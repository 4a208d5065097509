import { execFileSync } from "node:child_process"
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startInstallation } from "@/e2e/bench/installation"
import type { Row } from "@/e2e/bench/table"

const goals = { seconds: 60, megabytes: 600 }

/** The first `npm start` of a fresh clone of what is committed: how long until it is ready, and what it installs. */
export async function measureStart(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-clone-"))
  try {
    execFileSync("git", ["clone", "--quiet", process.cwd(), folder])
    const startedAt = performance.now()
    const installation = await startInstallation(folder)
    const seconds = (performance.now() - startedAt) / 1_000
    await installation.stop()
    const { files, megabytes } = sizeOf(join(folder, "node_modules"))
    return [
      {
        what: "from clone to ready, the packages in npm's cache",
        measured: `${seconds.toFixed(0)} s`,
        ...{ value: seconds, unit: "s", goal: goals.seconds, atMost: true },
      },
      {
        what: "what `npm start` installs",
        measured: `${files} files`,
        ...{ value: megabytes, unit: "MB", goal: goals.megabytes, atMost: true },
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As they lie on the disk, in whole blocks. */
function sizeOf(folder: string): { files: number; megabytes: number } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const bytes = entries.map((entry) => lstatSync(join(entry.parentPath, entry.name)).blocks * 512)
  return {
    files: entries.filter((entry) => entry.isFile()).length,
    megabytes: bytes.reduce((sum, each) => sum + each, 0) / 2 ** 20,
  }
}
