import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"

// One registry a process: Next may evaluate a module once per bundle, the process has one global object.
const shared = globalThis as typeof globalThis & { mailroomMetrics?: Registry }

/** The metrics of this process. The supervisor collects those of all processes and answers scrapes. */
export function registry(): Registry {
  return (shared.mailroomMetrics ??= new Registry())
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
  if (!registry().getSingleMetric("process_cpu_seconds_total")) collectDefaultMetrics({ register: registry() })
}

/** Bounds in seconds, from an answer out of memory to one that a person gives up on. */
export const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
