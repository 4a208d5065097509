import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { reportRegions } from "@/lib/delivery/regions/data"
import { closeDatabase } from "@/lib/platform/database/db"
import { env, provideEnv, type Env } from "@/lib/platform/env/env"
import { type ProcessRole, processRoles } from "@/lib/platform/env/fields"
import { regionSettings } from "@/lib/regions/settings"
import { log } from "@/lib/platform/log"
import { measureProcess, registry } from "@/lib/platform/metrics"
import { hasHeavyProcess, refuseFewConnections, webProcessesOf } from "@/lib/server/processes/fit-database"
import {
  firstRunToken,
  takenPorts,
  type WantedPort,
  embeddedOptions,
  prepareInstallation,
} from "@/lib/server/processes/prepare"
import { flushLogs, openLog, passLog, rotateInPlace } from "@/lib/server/processes/logs"
import {
  createMetricsAggregator,
  type MetricsAggregator,
  serveMetrics,
  measureQueue,
} from "@/lib/server/metrics/server"
import { buildPages } from "@/lib/server/build/next-build"
import { print, printJson, surviveTerminal } from "@/lib/server/processes/print"
import { clusterProcess, nodeProcess, supervise, type Spec, type Supervised } from "@/lib/server/processes/supervise"
import { readCertificate } from "@/lib/platform/smtp-server/certificate"
import { submissionSettings } from "@/lib/delivery/smtp/submission-settings"
import { setTimeout as wait } from "node:timers/promises"
import { openPostgres, type EmbeddedPostgres } from "@/lib/platform/postgres/open"

const webStopMs = 12_000
const heavyStopMs = 12_000
const workerStopMs = 27_000
const mailStopMs = 5_000
const sandboxStopMs = 5_000
/** Under npm, Ctrl-C arrives twice: from the terminal and forwarded. Only a later one forces the stop. */
const sameSignalMs = 1_000

/** `npm start` and `npm run dev`: runs the whole product on this machine until SIGINT, SIGTERM or SIGHUP. */
export async function runAll(mode: "production" | "development") {
  const startedAt = Date.now()
  Object.assign(process.env, { NODE_ENV: mode })
  surviveTerminal()
  // Before the settings are read, whose faults are sentences too.
  if (process.env.LOG_OUTPUT === "stdout") printJson()
  surviveDefects()
  const signals = watchSignals()
  // The build takes longest, so the database is set up beside it.
  const unwanted = new AbortController()
  const building = mode === "production" ? buildPages(print, unwanted.signal) : Promise.resolve(false)
  building.catch(() => undefined)
  const prepared = await prepareInstallation(print, { signal: signals.signal }).catch((error: unknown) => {
    unwanted.abort()
    if (signals.stopped()) return null
    throw error
  })
  if (!prepared) return print("Stopped.")
  const { postgres } = prepared
  const processes: Supervised[] = []
  try {
    const settings = env()
    await refuseFewConnections(settings.databaseUrl, settings)
    await Promise.race([building, signals.stop])
    if (signals.stopped()) {
      unwanted.abort()
      await postgres?.close()
      return print("Stopped.")
    }
    provideEnv({ NEXTAUTH_URL: settings.baseUrl })
    const taken = await takenPorts(portsOf(settings))
    if (taken.length > 0) throw new Error(taken.join("\n"))
    if (settings.tls && settings.roles.includes("mail")) readCertificate(settings.tls)

    const metricsOfAll = createMetricsAggregator(registry())
    const started = startAll(settings, metricsOfAll, { isEmbedded: postgres !== null })
    processes.push(...Object.values(started).flat())
    const metrics = await startMetrics(settings, metricsOfAll)
    // Each process reads the address when it starts, and has no database to finish its work with.
    const databaseMoved = async (url: string) => {
      provideEnv({ DATABASE_URL: url })
      for (const each of processes) each.kill()
      await closeDatabase()
    }
    const guard = postgres ? keepRunning(postgres, embeddedOptions(settings), databaseMoved) : null
    signals.onForce(() => processes.forEach((each) => each.kill()))
    // Web processes do without the one for heavy requests until it is there.
    const awaited = processes.filter((each) => !started.heavy.includes(each))
    await Promise.race([Promise.all(awaited.map(({ ready }) => ready)), signals.stop])
    if (!signals.stopped()) await greet(settings, Date.now() - startedAt)

    await signals.stop
    print("Stopping: running requests and delivery attempts are finished first. Press Ctrl-C again to stop at once.")
    await metrics.close()
    const database = (await guard?.stop()) ?? null
    await stopInOrder({ ...started, database })
    await flushLogs()
    print("Stopped.")
  } catch (error) {
    for (const each of processes) each.kill()
    await postgres?.close()
    throw error
  }
}

/** Keeps the supervisor alive after an unexpected error: without it nothing would restart the other processes. */
function surviveDefects() {
  const tell = (error: unknown) =>
    print(
      `The supervisor had an unexpected error and continues: ${error instanceof Error ? error.stack : String(error)}`,
    )
  process.on("uncaughtException", tell)
  process.on("unhandledRejection", tell)
}

type Stoppable = { stop(): Promise<void> }

/**
 * Stops the web and mail processes first, since they bring in work, then the one that web processes pass requests on to, and the
 * database last, since the others write to it.
 */
export async function stopInOrder(
  all: Record<ProcessRole | "heavy", Stoppable[]> & { database: { close(): Promise<void> } | null },
) {
  for (const group of [[...all.web, ...all.mail], all.heavy, all.worker, all.sandbox])
    await Promise.all(group.map((each) => each.stop()))
  await all.database?.close()
}

/** Serves the metrics of all processes in one response. */
async function startMetrics(settings: Env, metricsOfAll: MetricsAggregator) {
  // Log lines do not belong on the terminal; the metrics show an unreachable database.
  log.level = "silent"
  measureProcess()
  const measure = measureQueue()
  const server = await serveMetrics({ host: settings.metricsHost, port: settings.metricsPort }, async () => {
    await measure()
    return metricsOfAll.scrape()
  })
  return {
    async close() {
      await server.close()
      await closeDatabase()
    },
  }
}

/** The processes of this host's roles. */
function startAll(
  settings: Env,
  metricsOfAll: MetricsAggregator,
  { isEmbedded }: { isEmbedded: boolean },
): Record<ProcessRole | "heavy", Supervised[]> {
  const start = (spec: Spec, log = spec.name) => {
    const source = metricsOfAll.source(spec.name)
    const child = supervise(spec, {
      received: (message) => source.received(message),
      attach:
        settings.logOutput === "stdout"
          ? passLog(spec.name)
          : openLog(settings.dataDir, log, settings.mode === "development"),
      crashed(how, againInMs) {
        source.ended()
        print(`${spec.name} ended (${how}); starting it again in ${againInMs / 1000} s.`)
      },
    })
    source.connect((message) => child.send(message))
    return child
  }
  const heavySocket = hasHeavyProcess(settings) ? newSocketPath() : undefined
  const heavyEnv = () => ({
    ...process.env,
    HEAVY_SOCKET: heavySocket,
    HEAVY_DATABASE: isEmbedded ? "embedded" : undefined,
  })
  const single = (name: ProcessRole, stopWithinMs: number) =>
    settings.roles.includes(name)
      ? [start({ name, stopWithinMs, start: () => nodeProcess(bundled(name), process.env) })]
      : []
  return {
    sandbox: single("sandbox", sandboxStopMs),
    mail: single("mail", mailStopMs),
    worker: single("worker", workerStopMs),
    web: Array.from({ length: webProcessesOf(settings) }, (_, at) =>
      start(
        {
          name: `web ${at + 1}`,
          stopWithinMs: webStopMs + settings.leaveSeconds * 1_000,
          start: () => clusterProcess(bundled("web"), heavyEnv()),
        },
        "web",
      ),
    ),
    heavy: heavySocket
      ? [
          start(
            { name: "heavy", stopWithinMs: heavyStopMs, start: () => nodeProcess(bundled("heavy"), heavyEnv()) },
            "web",
          ),
        ]
      : [],
  }
}

/** Systems take paths of up to 103 or 107 bytes. */
const socketPathBytesMax = 100

/** Where no other user reaches it; undefined where there is no such place, and web processes answer everything themselves. */
function newSocketPath(): string | undefined {
  if (process.platform === "win32") return `\\\\.\\pipe\\mailroom-${randomUUID()}`
  for (const parent of new Set([tmpdir(), "/tmp"])) {
    if (Buffer.byteLength(join(parent, "mailroom-123456", "heavy.sock")) > socketPathBytesMax) continue
    try {
      const folder = mkdtempSync(join(parent, "mailroom-"))
      process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
      return join(folder, "heavy.sock")
    } catch {
      // The next one may be writable.
    }
  }
  print(
    "Exports and large requests have no process of their own: TMPDIR is not writable, or too long for a socket in it.",
  )
  return undefined
}

async function greet(settings: Env, tookMs: number) {
  const isWhole = settings.roles.length === processRoles.length
  print(
    `\nMailroom is ready (${(tookMs / 1000).toFixed(1)} s): ${settings.baseUrl}${isWhole ? "" : `, this host runs ${settings.roles.join(", ")}`}`,
  )
  const token = settings.roles.includes("web") ? await firstRunToken(settings.databaseUrl) : null
  if (token) print(`First run, open this once: ${settings.baseUrl}/setup?token=${token}`)
  // The first question to Prisma takes 35 MB, so none is asked whose answer is known.
  const hasReports = Object.values(regionSettings().profiles).some(({ delivered }) => delivered === "dsn")
  for (const { region, reports } of hasReports ? await reportRegions().catch(() => []) : []) {
    if (reports === "not_proved")
      print(
        `Mail of ${region} stays sent: delivered=dsn counts once "npm run admin -- loop-test --region ${region}" has passed.`,
      )
  }
  const logs = settings.logOutput === "stdout" ? "on stdout" : `in ${join(settings.dataDir, "logs")}`
  print(`Logs are ${logs}; Ctrl-C stops everything.\n`)
}

function portsOf(settings: Env): WantedPort[] {
  const { inbound, sandboxSmtpPort, sandboxDnsPort } = regionSettings()
  const submission = submissionSettings()
  const ofRoles: Record<ProcessRole, WantedPort[]> = {
    web: [{ port: settings.port, variable: "PORT", host: settings.host, hostVariable: "HOST" }],
    worker: [],
    mail: [
      { port: inbound.port, variable: "INBOUND_PORT", host: inbound.host },
      { port: submission.port, variable: "SUBMISSION_PORT", host: submission.listenOn },
      { port: submission.tlsPort, variable: "SUBMISSION_TLS_PORT", host: submission.listenOn },
    ],
    sandbox: [
      { port: sandboxSmtpPort, variable: "SANDBOX_SMTP_PORT", host: "127.0.0.1" },
      { port: sandboxDnsPort, variable: "SANDBOX_DNS_PORT", host: "127.0.0.1", udp: true },
    ],
  }
  const { metricsPort: port, metricsHost: host } = settings
  const metrics = { port, variable: "METRICS_PORT", host, hostVariable: "METRICS_HOST" }
  return [metrics, ...settings.roles.flatMap((role) => ofRoles[role])]
}

function watchSignals() {
  let firstAt = 0
  let force: () => void = () => undefined
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
  const onSignal = () => {
    const again = firstAt > 0 && Date.now() - firstAt > sameSignalMs
    firstAt ||= Date.now()
    if (again) force()
    stopping.abort()
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  // Of a terminal or a connection that has closed.
  process.on("SIGHUP", onSignal)
  // npm's shell may die of a signal that it does not forward, so the loss of the parent also stops us.
  const parent = process.ppid
  const checkParent = () => {
    if (process.ppid !== parent) stopping.abort()
  }
  if (process.env.npm_lifecycle_event) setInterval(checkParent, 1_000).unref()
  return {
    signal,
    stop,
    stopped: () => signal.aborted,
    onForce: (action: () => void) => {
      force = action
    },
  }
}

function bundled(name: string): string {
  return join(process.cwd(), "dist", `${name}.js`)
}

const checkEveryMs = 2_000
/** A log that a defect fills grows by megabytes in that time, not by more. */
const rotateEveryMs = 20_000

/**
 * Restarts the embedded server when it ends by itself (a full disk without room for its write-ahead log ends it), as
 * often as needed; keeps its log within its limit. Calls `moved` where another program has taken its port meanwhile.
 */
export function keepRunning(
  first: EmbeddedPostgres,
  options: Parameters<typeof openPostgres>[0],
  moved: (url: string) => Promise<void>,
) {
  let server = first
  const printed = new Set<string>()
  const stopped = new AbortController()
  const loop = async () => {
    for (let checks = 1; !stopped.signal.aborted; checks++) {
      await wait(checkEveryMs, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (checks % (rotateEveryMs / checkEveryMs) === 0)
        await rotateInPlace(join(options.dataDir, "logs", "postgres.log")).catch(() => undefined)
      if (stopped.signal.aborted || server.isRunning()) continue
      server = await restarted(server)
    }
  }

  async function restarted(ended: EmbeddedPostgres): Promise<EmbeddedPostgres> {
    printOnce("PostgreSQL ended; starting it again.")
    try {
      const server = await openPostgres(options)
      printed.clear()
      if (server.url !== ended.url) {
        print("PostgreSQL had to use another port; starting everything that uses it again.")
        await moved(server.url)
      }
      return server
    } catch (error) {
      printOnce((error as Error).message)
      return ended
    }
  }

  /** A disk that is full for an hour is a few sentences, not thousands. */
  function printOnce(sentence: string) {
    const [kind = ""] = sentence.split("\n", 1)
    if (!printed.has(kind)) print(sentence)
    printed.add(kind)
  }

  const looping = loop()
  return {
    /** Ends the watch, waiting for a restart in progress; returns the running server, for the caller to close. */
    async stop(): Promise<EmbeddedPostgres> {
      stopped.abort()
      await looping
      return server
    },
  }
}
