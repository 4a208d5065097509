import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { chownSync, closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { syncFolder } from "@/lib/platform/durable-file"
import { type Account, identity, type PostgresRecord } from "@/lib/platform/postgres/record"

export const superuser = "mailroom"

const usualSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "128MB",
  effective_cache_size: "512MB",
  max_wal_size: "2GB",
  wal_compression: "on",
  // Plans made on empty tables should not outlive that by a minute.
  autovacuum_naptime: "30s",
  timezone: "UTC",
  log_timezone: "UTC",
  password_encryption: "scram-sha-256",
}

export function initCluster(record: PostgresRecord, account: Account | null) {
  const half = `${record.dataFolder}.half`
  const passwordFile = join(dirname(record.dataFolder), "first-password")
  rmSync(half, { recursive: true, force: true })
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, record.password, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  const flags = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--auth=scram-sha-256"]
  const made = spawnSync(
    join(record.binaries, "bin", "initdb"),
    [...flags, `--username=${superuser}`, `--pwfile=${passwordFile}`, `--pgdata=${half}`],
    { ...identity(account), env: plainEnvironment(), cwd: "/", encoding: "utf8" },
  )
  rmSync(passwordFile, { force: true })
  if (made.status !== 0) throw new Error(`initdb could not create ${half}:\n${made.stderr || String(made.error)}`)
  // initdb has synced the files in it.
  renameSync(half, record.dataFolder)
  syncFolder(dirname(record.dataFolder))
}

export function spawnServer(
  record: PostgresRecord,
  account: Account | null,
  logFile: string,
  settings = {},
): ChildProcess {
  const given = Object.entries({ ...usualSettings, ...settings, port: String(record.port) })
  const log = openSync(logFile, "a", 0o600)
  // In a process group of its own: Ctrl-C in the terminal must not stop it while a worker still drains.
  const child = spawn(
    join(record.binaries, "bin", "postgres"),
    ["-D", record.dataFolder, ...given.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...identity(account), env: plainEnvironment(), cwd: "/", detached: true, stdio: ["ignore", log, log] },
  )
  closeSync(log)
  child.on("error", () => undefined)
  child.unref()
  return child
}

// The caller's LANG and PG* variables would change the cluster that initdb creates and the server's messages.
function plainEnvironment(): NodeJS.ProcessEnv {
  return { NODE_ENV: "production", PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }
}
