import { createServer } from "node:http"
import { log } from "@/lib/platform/log"
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client"
import type { FromChild, ToChild } from "@/lib/server/processes/supervise"

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
