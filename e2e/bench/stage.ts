import type { ChildProcess } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { turnOn } from "@/lib/delivery/regions/data"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { regionNames } from "@/lib/regions/regions"
import { readRecord } from "@/lib/platform/postgres/record"
import { openLog } from "@/lib/server/processes/logs"
import { buildPages } from "@/lib/server/build/next-build"
import { prepareInstallation } from "@/lib/server/processes/prepare"
import { clusterProcess, nodeProcess, supervise, type Spec, type Supervised } from "@/lib/server/processes/supervise"
import { buildFloor, startFloor } from "@/e2e/bench/floor"
import { askOnce, requestOf } from "@/e2e/bench/load"

/** Everything that is measured, running side by side on loopback; what gets no requests costs nothing. */
export type Stage = {
  /** Ports: the bare framework, the product with one web process, and with two. */
  floor: number
  one: number
  two: number
  /** Process ids of the first two, for what they need of the machine. */
  pids: { floor: number; one: number }
  /** Starts a worker with this relay; without one it hands over nothing. Ends with `stop`. */
  startWorker(smtpUrl?: string, variables?: Record<string, string>): Promise<{ stop(): Promise<void> }>
  /** Takes back what a section left to do, so that the next one does not do it. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** An installation of its own, with a temporary data folder and free ports, whatever else runs on this machine. */
export async function setStage(print: (sentence: string) => void): Promise<Stage> {
  const dataDir = newDataDir()
  const [floor = 0, one = 0, two = 0] = await freePorts(3)
  provideEnv({
    ...unset,
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    PORT: String(one),
    LOG_LEVEL: "warn",
    STREAMS_PER_PROJECT: "2000",
    // The receivers of the section on neighbours.
    ALLOW_PRIVATE_WEBHOOKS: "127.0.0.1/32",
    PUBLIC_REQUESTS_PER_MINUTE: "100000",
  })
  const { postgres } = await prepareInstallation(print)
  // As after a set-up: the section on direct sending checks none.
  await turnOn(regionNames)
  const running: { stop(): Promise<void> }[] = []
  const close = async () => {
    await Promise.all(running.map((each) => each.stop()))
    await closeDatabase()
    await postgres?.close()
    removeData(dataDir)
  }
  try {
    await buildPages(print)
    const bare = buildFloor(print)
    const start = (spec: Omit<Spec, "stopWithinMs">) => startProcess({ ...spec, stopWithinMs: 20_000 }, dataDir)
    const pids = { floor: 0, one: 0 }
    const heavyEnv = { ...process.env, HEAVY_SOCKET: join(dataDir, "heavy.sock"), HEAVY_DATABASE: "embedded" }
    const web = (name: string, port: number) =>
      start({
        name,
        start() {
          const env = port === two ? heavyEnv : process.env
          const started = clusterProcess(bundled("web"), { ...env, PORT: String(port) })
          if (port === one) pids.one = started.pid ?? 0
          return started
        },
      })
    const heavy = start({ name: "heavy", start: () => nodeProcess(bundled("heavy"), heavyEnv) })
    const webs = [web("web", one), web("web 1 of 2", two), web("web 2 of 2", two)]
    const floorProcess = startFloor(bare, floor)
    pids.floor = floorProcess.pid ?? 0
    running.push(stopping(floorProcess), ...webs, heavy)
    await Promise.all([answering(floor), ...[...webs, heavy].map(({ ready }) => ready)])
    const startWorker = async (smtpUrl = "smtp://127.0.0.1:9?tls=none", variables: Record<string, string> = {}) => {
      const worker = start({
        name: "worker",
        start: () => nodeProcess(bundled("worker"), { ...process.env, ...variables, SMTP_URL: smtpUrl }),
      })
      running.push(worker)
      await worker.ready
      return worker
    }
    return { floor, one, two, pids, startWorker, settle, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function settle() {
  const client = await pool().connect()
  try {
    await client.query("SET statement_timeout = 0")
    await client.query("UPDATE deliveries SET due_at = NULL WHERE due_at IS NOT NULL")
    await client.query("UPDATE events SET seq = 0 WHERE seq IS NULL")
    await client.query("VACUUM (ANALYZE) deliveries, events, rate_windows")
    await client.query("CHECKPOINT")
  } finally {
    client.release(true)
  }
}

/** Variables of the user's environment that may belong to another installation. */
export const unset = {
  DATABASE_URL: "",
  SECRET_KEY: "",
  BASE_URL: "",
  SMTP_URL: "",
  SERVICE_DOMAIN: "",
  DNS_SERVERS: "",
}

function startProcess(spec: Spec, dataDir: string): Supervised {
  const crashed = (how: string) => process.stderr.write(`${spec.name} ended (${how}).\n`)
  return supervise(spec, { attach: openLog(dataDir, "bench", false), crashed })
}

/** A child that knows no word but SIGTERM. */
export function stopping(child: ChildProcess): { stop(): Promise<void> } {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  return {
    async stop() {
      child.kill("SIGTERM")
      await ended
    },
  }
}

async function answering(port: number) {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await askOnce(port, requestOf("GET", "/echo", {})).catch(() => null)
    if (answer) return
    await wait(100)
  }
  throw new Error("The bare handler did not start within 30 s.")
}

function bundled(name: string): string {
  return join(process.cwd(), "dist", `${name}.js`)
}

export function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "mailroom-bench-"))
  chmodSync(dataDir, 0o711)
  return dataDir
}

export function removeData(dataDir: string) {
  const dataFolder = readRecord(dataDir)?.dataFolder
  if (dataFolder && !dataFolder.startsWith(dataDir)) rmSync(dirname(dataFolder), { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}

/** Free ports, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1")
      await new Promise((listening) => server.once("listening", listening))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
  return ports
}
