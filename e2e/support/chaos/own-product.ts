import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { readRecord } from "@/lib/platform/postgres/record"
import { freePorts } from "@/e2e/support/free-port"
import { admin, startProduct, type Product } from "@/e2e/support/product"

/** A whole product of a test's own, whose processes it may treat badly, with a project that may send without limits. */
export type OwnProduct = Product & {
  projectId: string
  apiKey: string
  from: string
  metricsPort: number
  /** Process ids of what runs now: web, heavy, worker, mail or sandbox. */
  running(program: "web" | "heavy" | "worker" | "mail" | "sandbox"): number[]
  /** Process id of its PostgreSQL, null while none runs. */
  postgres(): number | null
  /** Asks its database over a connection of its own. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
}

/** `dataDir`: an existing folder for its data; without one it gets a folder of its own, removed at the end. */
export async function startOwnProduct(extra: Record<string, string> = {}, dataDir?: string): Promise<OwnProduct> {
  const ports = await freePorts()
  const product = await startProduct(ports, extra, dataDir)
  try {
    const made = await admin(
      product.dataDir,
      "bootstrap",
      "--email",
      "chaos@example.com",
      "--password",
      "a long password",
      "--organization",
      "Chaos",
      "--project",
      "main",
      "--region",
      "eu-west-1",
    )
    const [projectId, apiKey] = [String(made.projectId), String(made.apiKey)]
    await admin(product.dataDir, "set-limits", "--project", projectId, "--per-second", "100000", "--per-day", "1000000")
    await verifyDomain(product.baseUrl, { projectId, apiKey })
    return {
      ...product,
      projectId,
      apiKey,
      from: "hello@chaos.test",
      metricsPort: ports.metrics,
      running: (program) =>
        childrenOf(product.process.pid ?? 0).filter((pid) => commandOf(pid).includes(`dist/${program}.js`)),
      postgres: () => postmasterOf(product.dataDir),
      query: (sql, values) => askDatabase(product.dataDir, sql, values),
    }
  } catch (error) {
    await product.stop()
    throw error
  }
}

/** Megabytes of a process that lie in memory. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
}

/** What a process holds open: files, sockets, timers' pipes. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

async function verifyDomain(baseUrl: string, { projectId, apiKey }: { projectId: string; apiKey: string }) {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" }
  const domains = `${baseUrl}/v1/projects/${projectId}/domains`
  const made = await fetch(domains, {
    method: "POST",
    headers,
    body: JSON.stringify({ domain: "chaos.test", region: "eu-west-1" }),
  })
  const { id } = (await made.json()) as { id: string }
  const deadline = Date.now() + 30_000
  for (;;) {
    const { status } = (await (await fetch(`${domains}/${id}/verify`, { method: "POST", headers })).json()) as {
      status: string
    }
    if (status === "verified") return
    if (Date.now() > deadline) throw new Error("The sandbox's domain was not verified within 30 s.")
    await wait(500)
  }
}

/** Asks the database of a running product over a connection of its own. */
export async function askDatabase<Row extends pg.QueryResultRow>(
  dataDir: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const record = readRecord(dataDir)
  const client = new pg.Client({
    host: "127.0.0.1",
    port: record?.port,
    user: "mailroom",
    password: record?.password,
    database: "mailroom",
  })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end()
  }
}

function postmasterOf(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(`${readRecord(dataDir)?.dataFolder}/postmaster.pid`, "utf8").split("\n")[0])
    return commandOf(pid).includes("postgres") ? pid : null
  } catch {
    return null
  }
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  return pids.filter(
    (pid) =>
      Number(
        readText(`/proc/${pid}/stat`)
          .replace(/^.*\) \S /s, "")
          .split(" ")[0],
      ) === parent,
  )
}

function commandOf(pid: number): string {
  return readText(`/proc/${pid}/cmdline`).split("\0").filter(Boolean).join(" ")
}

/** Processes come and go while they are listed. */
function readText(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
