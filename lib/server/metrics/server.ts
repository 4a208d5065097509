import { createServer } from "node:http"
import { log } from "@/lib/platform/log"
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client"
import type { FromChild, ToChild } from "@/lib/server/processes/supervise"
import { findOutages } from "@/lib/delivery/regions/data"
import { gauge } from "@/lib/platform/metrics"
import { version } from "@/lib/platform/version"
import { monthsAhead } from "@/lib/worker/partition-sql"
import { countWaitingWork, overdue, overdueKinds } from "@/lib/worker/queue-sql"
import { regionNames } from "@/lib/regions/regions"

/** Serves GET /metrics, and nothing else, on an address of its own, apart from the public port. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  scrape: () => Promise<string>,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0]
    if (path !== "/metrics") return response.writeHead(404).end("The metrics are at /metrics.\n")
    if (request.method !== "GET" && request.method !== "HEAD")
      return response.writeHead(405, { Allow: "GET, HEAD" }).end()
    scrape().then(
      (text) => response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }).end(text),
      (error: unknown) => {
        log.error({ err: error }, "the metrics could not be collected")
        response.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  server.on("error", (error) => log.warn({ err: error }, "the metrics server had an error"))
  const bound = server.address()
  return {
    port: typeof bound === "object" && bound ? bound.port : port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

type Metric = Omit<MetricObjectWithValues<MetricValue<string>>, "collect">
type Snapshot = Metric[]

/** One process that is queried over its channel. */
type MetricsSource = {
  /** Sets how to send it messages; `send` returns false while there is no process. */
  connect(send: (message: ToChild) => boolean): void
  /** Handles a message from the process; those that are not metrics are ignored. */
  received(message: unknown): void
  /** The process has ended: its counts are kept. */
  ended(): void
}

export type MetricsAggregator = {
  source(name: string): MetricsSource
  /** The metrics of all processes in the text format of Prometheus. */
  scrape(): Promise<string>
}

const answerWithinMs = 1_000

/**
 * Aggregates the metrics of all processes of an installation. Counters and histograms are summed, including those of
 * processes that have ended, so that no sum decreases; values of a single process are labelled with its name.
 */
export function createMetricsAggregator(own: Registry): MetricsAggregator {
  const sources: (MetricsSource & { name: string; ask(): Promise<Snapshot | null>; last(): Snapshot })[] = []
  let endedCounts: Snapshot = []

  return { source, scrape }

  function source(name: string): MetricsSource {
    let send: (message: ToChild) => boolean = () => false
    let answered: ((snapshot: Snapshot | null) => void) | null = null
    let last: Snapshot = []
    const made = {
      name,
      last: () => last,
      connect: (connected: typeof send) => void (send = connected),
      received(message: unknown) {
        if (!isAnswer(message)) return
        last = message.metrics as Snapshot
        answered?.(last)
      },
      ended() {
        endedCounts = added([endedCounts, last.filter(isSummed)])
        last = []
        answered?.(null)
      },
      ask(): Promise<Snapshot | null> {
        if (!send("metrics")) return Promise.resolve(null)
        return new Promise((resolve) => {
          const timer = setTimeout(() => resolve(null), answerWithinMs)
          answered = (snapshot) => {
            clearTimeout(timer)
            resolve(snapshot)
          }
        })
      },
    }
    sources.push(made)
    return made
  }

  async function scrape(): Promise<string> {
    const [mine, ...answers] = await Promise.all([own.getMetricsAsJSON(), ...sources.map((each) => each.ask())])
    const parts = sources.map((each, at) => {
      const answer = answers[at]
      // A process that does not respond in time still counts in the sums.
      return labelled(answer ?? each.last().filter(isSummed), each.name)
    })
    const up = upOf(sources.map(({ name }, at) => ({ name, up: Boolean(answers[at]) })))
    return AggregatorRegistry.aggregate([
      [up],
      labelled(mine ?? [], "supervisor"),
      endedCounts,
      ...parts,
    ] as never[]).metrics()
  }
}

function isAnswer(message: unknown): message is FromChild & { metrics: unknown } {
  return typeof message === "object" && message !== null && "metrics" in message
}

/** Sums of the whole installation: our own counters and histograms. */
function isSummed({ name, type }: Metric): boolean {
  const ofProcess = /^(process|nodejs)_/.test(name)
  return !ofProcess && (isKind(type, "counter") || isKind(type, "histogram"))
}

// The library types `type` as an enum and hands out its names.
function isKind(type: unknown, name: string): boolean {
  return type === name
}

function labelled(snapshot: Snapshot, process: string): Snapshot {
  return snapshot.map((metric) => {
    if (isSummed(metric)) return metric
    return {
      ...metric,
      aggregator: "sum",
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
    }
  })
}

function added(snapshots: Snapshot[]): Snapshot {
  return (AggregatorRegistry.aggregate(snapshots as never[]) as unknown as { getMetricsAsArray(): { get(): Metric }[] })
    .getMetricsAsArray()
    .map((metric) => metric.get())
}

function upOf(processes: { name: string; up: boolean }[]): Metric {
  return {
    name: "mailroom_process_up",
    help: "1 while the process responds.",
    type: "gauge" as never,
    aggregator: "sum",
    values: processes.map(({ name, up }) => ({ value: up ? 1 : 0, labels: { process: name } })),
  }
}

const oldAfterMs = 3_000

/**
 * Gauges of what waits in the database. Call the returned function at every scrape; it queries at most once in three
 * seconds. The supervisor does this, so that a queue is seen to grow while the worker is down.
 */
export function measureQueue(): () => Promise<void> {
  const due = gauge("mailroom_queue_due_deliveries", "Due deliveries that no worker has leased.", ["region"])
  const dueAge = gauge("mailroom_queue_oldest_due_seconds", "How long the oldest due delivery has waited.", ["region"])
  const events = gauge("mailroom_events_undispatched", "Events without a sequence number yet.")
  const eventsAge = gauge(
    "mailroom_events_oldest_undispatched_seconds",
    "Age of the oldest event without a sequence number.",
  )
  const returned = gauge("mailroom_returned_mail_waiting", "Returned mails that are stored and not read yet.")
  const returnedAge = gauge(
    "mailroom_returned_mail_oldest_waiting_seconds",
    "How long the oldest returned mail has waited to be read.",
  )
  const webhooks = gauge("mailroom_webhook_due_deliveries", "Due deliveries to webhooks that are not disabled.")
  const webhooksAge = gauge(
    "mailroom_webhook_oldest_due_seconds",
    "How long the oldest due delivery to a webhook has waited.",
  )
  const scheduled = gauge("mailroom_emails_scheduled", "Emails that wait for their time.")
  const still = gauge(
    "mailroom_work_overdue",
    "1 while work of this kind could be done and stands still for over a minute.",
    ["work"],
  )
  gauge("mailroom_build_info", "1; what runs here is in the labels.", ["version", "node"]).set(
    { version, node: process.versions.node },
    1,
  )
  const months = gauge("mailroom_partition_months_ahead", "Future months with partitions; alert below 2.")
  const up = gauge("mailroom_database_up", "1 if the database responded to the last query.")
  const reachable = gauge("mailroom_region_up", "1 while the relay of the region can be reached.", ["region"])
  let queriedAt = -Infinity

  return async () => {
    if (performance.now() - queriedAt < oldAfterMs) return
    queriedAt = performance.now()
    try {
      const [now, outages, standing] = await Promise.all([countWaitingWork(), findOutages(), overdue()])
      for (const region of regionNames) {
        const found = now.deliveries.find((each) => each.region === region)
        due.set({ region }, found?.count ?? 0)
        dueAge.set({ region }, found?.oldestSeconds ?? 0)
        reachable.set({ region }, outages.some(({ route }) => route === region) ? 0 : 1)
      }
      events.set(now.events.count)
      eventsAge.set(now.events.oldestSeconds)
      returned.set(now.returnedMail.count)
      returnedAge.set(now.returnedMail.oldestSeconds)
      webhooks.set(now.webhooks.count)
      webhooksAge.set(now.webhooks.oldestSeconds)
      scheduled.set(now.scheduled)
      for (const kind of overdueKinds) still.set({ work: kind }, standing.includes(kind) ? 1 : 0)
      months.set(await monthsAhead())
      up.set(1)
    } catch (error) {
      log.warn({ err: error }, "the queue could not be measured")
      up.set(0)
    }
  }
}
