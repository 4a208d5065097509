import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "@/e2e/support/free-port"

/** A real PgBouncer before a database of the test server. */
export type PgBouncer = { url: string; stop(): Promise<void> }

type Options = { databaseUrl: string; poolMode: "transaction" | "session"; ignores?: string; sessions?: number }

/** Starts `pgbouncer`, which refuses to run as root. `npm test` installs it where it is missing. */
export async function startPgBouncer({
  databaseUrl,
  poolMode,
  ignores = "",
  sessions = 20,
}: Options): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-pgbouncer-"))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl)
  const database = `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)} user=${username} password=${decodeURIComponent(password)}`
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]\nmailroom = ${database}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n` +
      `auth_type = any\npool_mode = ${poolMode}\ndefault_pool_size = ${sessions}\nignore_startup_parameters = ${ignores}\n`,
  )
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : []
  const child = spawn("pgbouncer", [...user, join(folder, "pgbouncer.ini")], { stdio: ["ignore", "ignore", "pipe"] })
  let output = ""
  child.stderr.on("data", (text: Buffer) => (output += text.toString()))
  child.on("error", (error) => (output += `pgbouncer cannot be run (${error.message}): apt-get install pgbouncer`))
  while (!/process up/.test(output)) {
    if (child.exitCode !== null || !child.pid) throw new Error(`pgbouncer did not start:\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url: `postgresql://mailroom:any@127.0.0.1:${port}/mailroom`,
    async stop() {
      child.kill("SIGKILL")
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
