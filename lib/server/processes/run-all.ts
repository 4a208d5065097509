import { join } from "node:path"
import { reportRegions } from "@/lib/delivery/regions/report"
import { closeDatabase } from "@/lib/platform/database/db"
import { env, provideEnv, type Env } from "@/lib/platform/env/env"
import { regionSettings } from "@/lib/regions/settings"
import { log } from "@/lib/platform/log"
import { measureProcess, registry } from "@/lib/platform/metrics"
import { refuseFewConnections, webProcessesOf } from "@/lib/server/processes/fit-database"
import { firstRunToken, takenPorts } from "@/lib/server/processes/installation"
import { keepRunning } from "@/lib/server/processes/keep-postgres"
import { flushLogs } from "@/lib/server/processes/log-file"
import { openLog } from "@/lib/server/processes/logs"
import { createMetricsAggregator, type MetricsAggregator } from "@/lib/server/metrics/aggregate"
import { measureQueue } from "@/lib/server/metrics/queue"
import { serveMetrics } from "@/lib/server/metrics/server"
import { buildPages } from "@/lib/server/build/next-build"
import { fetchReference } from "@/lib/server/build/reference-bundle"
import { embeddedOptions, prepareInstallation } from "@/lib/server/processes/prepare"
import { print, surviveTerminal } from "@/lib/server/processes/print"
import { clusterProcess, nodeProcess, supervise, type Spec, type Supervised } from "@/lib/server/processes/supervise"

const webStopMs = 12_000
const workerStopMs = 27_000
const mailStopMs = 5_000
const sandboxStopMs = 5_000
/** Under npm, Ctrl-C arrives twice: from the terminal and forwarded. Only a later one forces the stop. */
const sameSignalMs = 1_000

/** `npm start` and `npm run dev`: runs the whole product on this machine until SIGINT or SIGTERM. */
export async function runAll(mode: "production" | "development") {
  const startedAt = Date.now()
  Object.assign(process.env, { NODE_ENV: mode })
  surviveTerminal()
  surviveDefects()
  const signals = watchSignals()
  // The build takes longest, so the database is set up beside it.
  const unwanted = new AbortController()
  const building = mode === "production" ? buildPages(print, unwanted.signal) : fetchReference(print)
  building.catch(() => undefined)
  const { postgres } = await prepareInstallation(print).catch((error: unknown) => {
    unwanted.abort()
    throw error
  })
  const processes: Supervised[] = []
  try {
    const settings = env()
    await refuseFewConnections(settings.databaseUrl, settings)
    await building
    provideEnv({ NEXTAUTH_URL: settings.baseUrl })
    const taken = await takenPorts(portsOf(settings))
    if (taken.length > 0) throw new Error(taken.join("\n"))

    const metricsOfAll = createMetricsAggregator(registry())
    const { web, worker, mail, sandbox } = startAll(settings, metricsOfAll)
    processes.push(...web, worker, mail, sandbox)
    const metrics = await startMetrics(settings, metricsOfAll)
    const guard = postgres ? keepRunning(postgres, embeddedOptions(settings)) : null
    signals.onForce(() => processes.forEach((each) => each.kill()))
    await Promise.race([Promise.all(processes.map(({ ready }) => ready)), signals.stop])
    if (!signals.stopped()) await greet(settings, Date.now() - startedAt)

    await signals.stop
    print("Stopping: running requests and delivery attempts are finished first. Press Ctrl-C again to stop at once.")
    await metrics.close()
    const database = (await guard?.stop()) ?? null
    await stopInOrder({ web, mail, worker, sandbox, database })
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

/** Stops the web and mail processes first, since they bring in work, and the database last, since the others write to it. */
export async function stopInOrder(all: {
  web: Stoppable[]
  mail: Stoppable
  worker: Stoppable
  sandbox: Stoppable
  database: { close(): Promise<void> } | null
}) {
  await Promise.all([...all.web, all.mail].map((each) => each.stop()))
  await all.worker.stop()
  await all.sandbox.stop()
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

function startAll(settings: Env, metricsOfAll: MetricsAggregator) {
  const start = (spec: Spec, log = spec.name) => {
    const source = metricsOfAll.source(spec.name)
    const child = supervise(spec, {
      received: (message) => source.received(message),
      attach: openLog(settings.dataDir, log, settings.mode === "development"),
      crashed(how, againInMs) {
        source.ended()
        print(`${spec.name} ended (${how}); starting it again in ${againInMs / 1000} s.`)
      },
    })
    source.connect((message) => child.send(message))
    return child
  }
  return {
    sandbox: start({
      name: "sandbox",
      stopWithinMs: sandboxStopMs,
      start: () => nodeProcess(bundled("sandbox"), process.env),
    }),
    mail: start({
      name: "mail",
      stopWithinMs: mailStopMs,
      start: () => nodeProcess(bundled("mail"), process.env),
    }),
    worker: start({
      name: "worker",
      stopWithinMs: workerStopMs,
      start: () => nodeProcess(bundled("worker"), process.env),
    }),
    web: Array.from({ length: webProcessesOf(settings) }, (_, at) =>
      start(
        {
          name: `web ${at + 1}`,
          stopWithinMs: webStopMs + settings.leaveSeconds * 1_000,
          start: () => clusterProcess(bundled("web"), process.env),
        },
        "web",
      ),
    ),
  }
}

async function greet(settings: Env, tookMs: number) {
  print(`\nMailroom is ready (${(tookMs / 1000).toFixed(1)} s): ${settings.baseUrl}`)
  const token = await firstRunToken(settings.databaseUrl)
  if (token) print(`First run, open this once: ${settings.baseUrl}/setup?token=${token}`)
  for (const { region, reports } of await reportRegions().catch(() => [])) {
    if (reports === "not_proved")
      print(
        `Mail of ${region} stays sent: delivered=dsn counts once "npm run admin -- loop-test --region ${region}" has passed.`,
      )
  }
  print(`Logs are in ${join(settings.dataDir, "logs")}; Ctrl-C stops everything.\n`)
}

function portsOf(settings: Env) {
  const { inbound, sandboxSmtpPort, sandboxDnsPort } = regionSettings()
  return [
    { port: settings.port, variable: "PORT" },
    { port: settings.metricsPort, variable: "METRICS_PORT", host: settings.metricsHost },
    { port: inbound.port, variable: "INBOUND_PORT", ...(inbound.host ? { host: inbound.host } : {}) },
    { port: sandboxSmtpPort, variable: "SANDBOX_SMTP_PORT", host: "127.0.0.1" },
    { port: sandboxDnsPort, variable: "SANDBOX_DNS_PORT", host: "127.0.0.1", udp: true as const },
  ]
}

function watchSignals() {
  let firstAt = 0
  let force: () => void = () => undefined
  const stop = new Promise<void>((resolve) => {
    const onSignal = () => {
      const again = firstAt > 0 && Date.now() - firstAt > sameSignalMs
      firstAt ||= Date.now()
      if (again) force()
      resolve()
    }
    process.on("SIGINT", onSignal)
    process.on("SIGTERM", onSignal)
    // npm's shell may die of a signal that it does not forward, so the loss of the parent also stops us.
    const parent = process.ppid
    const checkParent = () => {
      if (process.ppid !== parent) resolve()
    }
    if (process.env.npm_lifecycle_event) setInterval(checkParent, 1_000).unref()
  })
  return {
    stop,
    stopped: () => firstAt > 0,
    onForce: (action: () => void) => {
      force = action
    },
  }
}

function bundled(name: string): string {
  return join(process.cwd(), "dist", `${name}.js`)
}
