import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { dirname, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { syncFolder } from "@/lib/platform/durable-file"
import {
  type Account,
  claimHome,
  identity,
  postgresAccount,
  type PostgresRecord,
  readRecord,
  refuseForeignRoot,
  refuseHomeOfAnother,
  settle,
  writeRecord,
} from "@/lib/platform/postgres/record"
import { enter, exclusively, isAlive, leaveServer, runningPostmaster } from "@/lib/platform/postgres/users"

export type EmbeddedPostgres = {
  url: string
  pid: number
  isRunning(): boolean
  /** The last process to close it stops the server (fast shutdown: sessions are cut, nothing committed is lost). */
  close(): Promise<void>
}

type Options = {
  dataDir: string
  /** Further server settings, such as `{ fsync: "off" }` in tests. */
  settings?: Record<string, string>
}

const database = "mailroom"
const readyWithinMs = 60_000
const stoppedWithinMs = 30_000
const firstPort = 5480

/**
 * Starts the embedded PostgreSQL 18 of `dataDir`, or joins the one that runs there already.
 * @throws Error with a sentence for the operator and the end of the server's log
 */
export async function openPostgres(options: Options): Promise<EmbeddedPostgres> {
  refuseForeignRoot(options.dataDir)
  mkdirSync(join(options.dataDir, "logs"), { recursive: true, mode: 0o700 })
  return exclusively(options.dataDir, async () => {
    refuseHomeOfAnother(options.dataDir)
    const opened = (await joined(options.dataDir)) ?? (await started(options))
    enter(options.dataDir)
    return {
      url: url(opened.record),
      pid: opened.pid,
      isRunning: () => isAlive(opened.pid),
      close: () => close(options.dataDir, opened),
    }
  })
}

type Opened = { record: PostgresRecord; pid: number }

async function joined(dataDir: string): Promise<Opened | null> {
  const record = readRecord(dataDir)
  if (!record) return null
  const deadline = Date.now() + readyWithinMs
  while (Date.now() < deadline) {
    const postmaster = runningPostmaster(record.dataFolder)
    if (!postmaster) return null
    refuseCopy(record.dataFolder, postmaster.folder)
    if (postmaster.status === "ready") {
      const current = { ...record, port: postmaster.port }
      if (await answers(current)) return { record: current, pid: postmaster.pid }
    }
    await wait(100)
  }
  throw new Error(`A PostgreSQL runs in ${record.dataFolder} but does not answer; stop it and start again.`)
}

/**
 * The files of a cluster that was copied while its server ran name that server, which writes to the original.
 * @throws Error with what to do
 */
function refuseCopy(dataFolder: string, servedFolder: string) {
  // A folder that was moved while its server ran is no longer where that says.
  if (!existsSync(servedFolder) || realpathSync(servedFolder) === realpathSync(dataFolder)) return
  throw new Error(
    `${dataFolder} was copied while its PostgreSQL ran in ${servedFolder}, and is not whole. Stop Mailroom there and copy again, or run backup there and restore here.`,
  )
}

/** Another program may take the port after we found it free: then try once more, on any free one. */
async function started(options: Options): Promise<Opened> {
  try {
    return await startedOn(options, await freePort(readRecord(options.dataDir)?.port))
  } catch (error) {
    if (!/Address already in use/.test((error as Error).message)) throw error
    return startedOn(options, await freePort(0))
  }
}

/** The remembered port while it is free, else the first free one from 5480 on, else any. */
async function freePort(remembered: number | undefined): Promise<number> {
  for (const port of [remembered, firstPort, firstPort + 1, firstPort + 2, 0]) {
    const free = port === undefined ? null : await bound(port)
    if (free) return free
  }
  throw new Error("No port on 127.0.0.1 is free for the database.")
}

function bound(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(null))
    probe.listen(port, "127.0.0.1", () => {
      const { port: got } = probe.address() as AddressInfo
      probe.close(() => resolve(got))
    })
  })
}

async function startedOn({ dataDir, settings }: Options, port: number): Promise<Opened> {
  const account = postgresAccount()
  const record = settle(dataDir, account, port)
  writeRecord(dataDir, record)
  if (!existsSync(join(record.dataFolder, "PG_VERSION"))) initCluster(record, account)
  writeRecord(dataDir, { ...record, made: true })
  claimHome(dataDir, record.dataFolder)
  // No server runs on this folder (checked above): a file left by a crash would only confuse it.
  rmSync(join(record.dataFolder, "postmaster.pid"), { force: true })
  const child = spawnServer(record, account, join(dataDir, "logs", "postgres.log"), settings)
  await ready(record, child, join(dataDir, "logs", "postgres.log"))
  return { record, pid: child.pid ?? 0 }
}

async function ready(record: PostgresRecord, child: ChildProcess, logFile: string) {
  const deadline = Date.now() + readyWithinMs
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null && child.pid) {
    if (runningPostmaster(record.dataFolder)?.status === "ready" && (await answers(record))) return
    await wait(50)
  }
  const logEnd = existsSync(logFile) ? readFileSync(logFile, "utf8").trim().split("\n").slice(-8).join("\n") : ""
  throw new Error(`PostgreSQL did not start. The end of ${logFile}:\n${logEnd}`)
}

/** True if the server accepts our connection; creates our database if it does not exist yet. */
async function answers(record: PostgresRecord): Promise<boolean> {
  const client = new pg.Client({ connectionString: url(record, "postgres"), connectionTimeoutMillis: 5_000 })
  client.on("error", () => undefined)
  try {
    await client.connect()
    const found = await client.query("select 1 from pg_database where datname = $1", [database])
    if (found.rowCount === 0) await client.query(`create database ${database}`)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === "28P01") {
      throw new Error("PostgreSQL refuses the password in postgres.json: restore that file from the backup.", {
        cause: error,
      })
    }
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function close(dataDir: string, { pid }: Opened) {
  const stopServer = async () => {
    if (!leaveServer(dataDir)) return
    await signalled(pid, "SIGINT", stoppedWithinMs)
    await signalled(pid, "SIGQUIT", 5_000)
  }
  await exclusively(dataDir, stopServer, { evenIfFull: true })
}

async function signalled(pid: number, signal: "SIGINT" | "SIGQUIT", withinMs: number) {
  const deadline = Date.now() + withinMs
  if (isAlive(pid)) process.kill(pid, signal)
  while (isAlive(pid) && Date.now() < deadline) await wait(20)
}

function url(record: PostgresRecord, name = database): string {
  // The server has no TLS, whatever PGSSLMODE says for other databases of whoever starts it.
  return `postgresql://${superuser}:${encodeURIComponent(record.password)}@127.0.0.1:${record.port}/${name}?sslmode=disable`
}

// The cluster

const superuser = "mailroom"

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

function initCluster(record: PostgresRecord, account: Account | null) {
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

function spawnServer(record: PostgresRecord, account: Account | null, logFile: string, settings = {}): ChildProcess {
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
