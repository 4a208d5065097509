import { mkdtempSync, chmodSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { startDebianServer } from "@/e2e/support/debian-postgres"
import { migrate } from "@/lib/platform/database/migrations"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { runWorker } from "@/lib/worker/run"

const ticksPerSecond = 100
const seconds = 20

// As Debian configures it, its server compiles what costs more than 100,000.
test.runIf(size(false, true))(
  "two workers without work take at most 2 % of a core of PostgreSQL 15 with JIT (long)",
  async () => {
    log.level = "silent"
    const folder = mkdtempSync(join(tmpdir(), "mailroom-idle-"))
    chmodSync(folder, 0o711)
    const server = await startDebianServer(folder, { jit: "on" })
    const before = env().databaseUrl
    await migrate(server.url)
    await closeDatabase()
    provideEnv({ DATABASE_URL: server.url })
    const stop = new AbortController()
    const workers = [runWorker(stop.signal), runWorker(stop.signal)]
    await wait(10_000)
    const from = ticksOf(server.pid)
    await wait(seconds * 1_000)
    const percent = (ticksOf(server.pid) - from) / ticksPerSecond / seconds / 0.01
    figures("PostgreSQL 15 with JIT beside two idle workers", { "% of a core": percent.toFixed(2) })
    expect((await pool().query("SHOW jit")).rows).toEqual([{ jit: "off" }])
    expect(percent).toBeLessThan(2)
    stop.abort()
    // Both close the pool that they share.
    await Promise.allSettled(workers)
    provideEnv({ DATABASE_URL: before })
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  },
  180_000,
)

/** Processor time of a server with its children, in the kernel's ticks. */
function ticksOf(pid: number): number {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
  return all.reduce((sum, stat) => sum + (stat && (stat.pid === pid || stat.parent === pid) ? stat.ticks : 0), 0)
}

function statOf(name: string): { pid: number; parent: number; ticks: number } | null {
  try {
    const text = readFileSync(join("/proc", name, "stat"), "utf8")
    const [, parent, ...rest] = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number)
    return { pid: Number(name), parent: parent ?? 0, ticks: (rest[9] ?? 0) + (rest[10] ?? 0) }
  } catch {
    return null
  }
}
