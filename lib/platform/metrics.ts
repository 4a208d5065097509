import { monitorEventLoopDelay } from "node:perf_hooks"
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"
import { perProcess } from "@/lib/platform/per-process"

const lagEveryMs = 1_000
/** Each look at the lag wakes the process: it is looked at only while somebody scrapes. */
const lagAfterScrapeMs = 5 * 60_000
const neverMs = 2 ** 31 - 1

/** The metrics of this process. The supervisor collects those of all processes and answers scrapes. */
export function registry(): Registry {
  return perProcess("metrics", () => new Registry())
}

/** A number that only grows; `name` ends with `_total`. Labels take few values: never an id or an address. */
export function counter<L extends string = never>(
  name: string,
  help: string,
  labelNames: readonly L[] = [],
): Counter<L> {
  const known = registry().getSingleMetric(name) as Counter<L> | undefined
  return known ?? new Counter({ name, help, labelNames, registers: [registry()] })
}

/** A current value. `collect` sets it at a scrape, so that it costs nothing in between. */
export function gauge<L extends string = never>(
  name: string,
  help: string,
  labelNames: readonly L[] = [],
  collect?: (gauge: Gauge<L>) => void,
): Gauge<L> {
  const known = registry().getSingleMetric(name) as Gauge<L> | undefined
  if (known) return known
  const made: Gauge<L> = new Gauge({
    ...{ name, help, labelNames, registers: [registry()] },
    ...(collect ? { collect: () => collect(made) } : {}),
  })
  return made
}

/** How often a value fell under each of `buckets`, in the unit that `name` ends with. */
export function histogram<L extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labelNames: readonly L[] = [],
): Histogram<L> {
  const known = registry().getSingleMetric(name) as Histogram<L> | undefined
  return known ?? new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry()] })
}

/** CPU, memory, event loop lag and garbage collection of this process, under Prometheus's usual names. */
export function measureProcess() {
  if (registry().getSingleMetric("process_cpu_seconds_total")) return
  collectDefaultMetrics({ register: registry(), eventLoopMonitoringPrecision: neverMs })
  for (const { name } of registry().getMetricsAsArray()) {
    if (name.startsWith("nodejs_eventloop_lag_")) registry().removeSingleMetric(name)
  }
  measureLag()
}

/**
 * The library's measure wakes a process a hundred times a second, which takes 0.3 % of a core where nothing happens, and
 * counts its interval as lag.
 */
function measureLag() {
  const delays = monitorEventLoopDelay({ resolution: lagEveryMs })
  let rest: NodeJS.Timeout | undefined
  const help = "The event loop's lag since the last scrape, 99th percentile; 0 at the first one for five minutes."
  gauge("nodejs_eventloop_lag_p99_seconds", help, [], (lag) => {
    lag.set(Math.max(0, delays.percentile(99) / 1e9 - lagEveryMs / 1e3))
    delays.reset()
    delays.enable()
    clearTimeout(rest)
    rest = setTimeout(() => delays.disable(), lagAfterScrapeMs).unref()
  })
}

/** Bounds in seconds, from an answer out of memory to one that a person gives up on. */
export const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
