import { execFile, spawn, type ChildProcess } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"

/** The whole product, started as an operator starts it, in a data folder of its own. */
export type Product = {
  baseUrl: string
  /** The one-time link of the first run, as printed. */
  setupUrl: string
  dataDir: string
  process: ChildProcess
  /** Everything that it has printed so far. */
  output(): string
  /** Ctrl-C, and what it takes until everything has stopped. */
  stop(): Promise<void>
  /** What a terminal does to all of its processes when it is closed, and what it takes until everything has stopped. */
  hangUp(): Promise<void>
}

export type Ports = {
  web: number
  smtp: number
  inbound: number
  submission: number
  submissionTls: number
  dns: number
  metrics: number
}

const readyWithinMs = 240_000

/**
 * Builds if necessary and starts; resolves when `/health/ready` is 200. The environment is this process's plus `extra`. `root`: the
 * folder of the sources, or of a release.
 */
export async function startProduct(
  ports: Ports,
  extra: Record<string, string> = {},
  kept?: string,
  root = process.cwd(),
): Promise<Product> {
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), "mailroom-e2e-"))
  chmodSync(dataDir, 0o711)
  const env: NodeJS.ProcessEnv = { ...process.env, ...environment(ports, dataDir), ...extra }
  const child = spawn(process.execPath, ["lib/cli/launch.mjs", "start"], {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  child.stdout.on("data", (text: Buffer) => (output += text.toString()))
  child.stderr.on("data", (text: Buffer) => (output += text.toString()))
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))

  const baseUrl = `http://localhost:${ports.web}`
  const deadline = Date.now() + readyWithinMs
  while (!/Mailroom is ready/.test(output)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGINT")
      throw new Error(`The product did not start:\n${output}`)
    }
    await wait(100)
  }
  return {
    baseUrl,
    setupUrl: await printedLink(() => output),
    dataDir,
    process: child,
    output: () => output,
    async stop() {
      child.kill("SIGINT")
      await ended
      if (!kept) removeData(dataDir)
    },
    async hangUp() {
      process.kill(-(child.pid ?? 0), "SIGHUP")
      await ended
    },
  }
}

/** `npm run --silent admin -- …` beside a running product; the one JSON object that it prints. */
export function admin(dataDir: string, ...args: string[]): Promise<Record<string, unknown>> {
  return runAdmin({ DATABASE_URL: "", SECRET_KEY: "", DATA_DIR: dataDir }, ...args)
}

/** The same with any variables, such as those of a host with a database of its own. */
export async function runAdmin(env: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, ["lib/cli/launch.mjs", "admin", ...args], {
    env: { ...process.env, ...env },
  }).catch((error: Error & { stdout?: string }) => {
    // What the command says of it is the object that it prints.
    error.message += error.stdout ?? ""
    throw error
  })
  return JSON.parse(stdout) as Record<string, unknown>
}

export function removeData(dataDir: string) {
  const record = join(dataDir, "postgres.json")
  const folder = existsSync(record)
    ? (JSON.parse(readFileSync(record, "utf8")) as { dataFolder: string }).dataFolder
    : ""
  if (folder.startsWith("/var/lib/mailroom-")) rmSync(dirname(folder), { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}

function environment(ports: Ports, dataDir: string) {
  return {
    PORT: String(ports.web),
    BASE_URL: `http://localhost:${ports.web}`,
    SANDBOX_SMTP_PORT: String(ports.smtp),
    SANDBOX_DNS_PORT: String(ports.dns),
    INBOUND_PORT: String(ports.inbound),
    SUBMISSION_PORT: String(ports.submission),
    SUBMISSION_TLS_PORT: String(ports.submissionTls),
    METRICS_PORT: String(ports.metrics),
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    SECRET_KEY: "",
    NODE_ENV: "production" as const,
  }
}

/** Printed right after readiness, and only while the first run is open. */
async function printedLink(output: () => string): Promise<string> {
  while (!/Ctrl-C stops everything/.test(output())) await wait(20)
  return /\S+\/setup\?token=\S+/.exec(output())?.[0] ?? ""
}
