import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { freePort } from "@/e2e/support/free-port"
import { identity, postgresAccount } from "@/lib/platform/postgres/record"
import { debianPostgres } from "@/lib/cli/checks/programs"

const readyWithinMs = 60_000

/** Whether this run of the database tests is the one on PostgreSQL 15. */
export const onDebianPostgres = () => process.env.TEST_POSTGRES === "15"

/** A server of the oldest PostgreSQL that is supported, as Debian builds and configures it: with JIT. */
export type DebianServer = {
  url: string
  port: number
  folder: string
  pid: number
  /** Stops it, with a fast shutdown. */
  stop(): Promise<void>
}

/** Runs PostgreSQL 15 in a new cluster below `dataDir`. `npm test` installs it where it is missing. */
export async function startDebianServer(dataDir: string, settings: Record<string, string> = {}): Promise<DebianServer> {
  const account = postgresAccount()
  const folder = join(dataDir, "postgres-15")
  mkdirSync(folder, { mode: 0o700 })
  if (account) chownSync(folder, account.uid, account.gid)
  const flags = ["-D", folder, "-U", "mailroom", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
  const made = spawnSync(join(debianPostgres, "initdb"), flags, { ...identity(account), cwd: "/", encoding: "utf8" })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || String(made.error)}`)
  return runServer(folder, settings)
}

/** Runs a cluster that is there, such as a copy that is a standby. */
export async function runServer(folder: string, settings: Record<string, string> = {}): Promise<DebianServer> {
  const port = await freePort()
  const usual = { listen_addresses: "127.0.0.1", unix_socket_directories: "", timezone: "UTC", max_connections: "200" }
  const child = spawn(
    join(debianPostgres, "postgres"),
    [
      "-D",
      folder,
      "-p",
      String(port),
      ...Object.entries({ ...usual, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { ...identity(postgresAccount()), cwd: "/", stdio: ["ignore", "ignore", "pipe"] },
  )
  let output = ""
  child.stderr.on("data", (text: Buffer) => (output = (output + text.toString()).slice(-2_000)))
  const url = `postgresql://mailroom@127.0.0.1:${port}/postgres`
  const deadline = Date.now() + readyWithinMs
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`PostgreSQL 15 did not start:\n${output}`)
    await wait(50)
  }
  return {
    url,
    port,
    folder,
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGINT")
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on("error", () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
