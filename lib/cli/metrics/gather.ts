import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client"
import type { FromChild, ToChild } from "@/lib/cli/supervisor/child"

type Metric = Omit<MetricObjectWithValues<MetricValue<string>>, "collect">
export type Snapshot = Metric[]

/** One process that is asked over its channel. */
export type Source = {
  /** How to reach it; false while there is no process. */
  connect(tell: (message: ToChild) => boolean): void
  /** Takes what the process says; answers are recognised, the rest is left alone. */
  heard(message: unknown): void
  /** The process is gone: what it counted stays counted. */
  ended(): void
}

export type Gathering = {
  source(name: string): Source
  /** The metrics of all processes in the text format of Prometheus. */
  scrape(): Promise<string>
}

const answerWithinMs = 1_000

/**
 * Gathers what the processes of an installation count into one answer. Counters and histograms are added up, and keep
 * what processes had counted that are gone, so that no sum runs backwards; what is of one process is labelled with it.
 */
export function createGathering(own: Registry): Gathering {
  const sources: (Source & { name: string; ask(): Promise<Snapshot | null>; last(): Snapshot })[] = []
  let ofTheGone: Snapshot = []

  return { source, scrape }

  function source(name: string): Source {
    let tell: (message: ToChild) => boolean = () => false
    let answered: ((snapshot: Snapshot | null) => void) | null = null
    let last: Snapshot = []
    const made = {
      name,
      last: () => last,
      connect: (way: typeof tell) => void (tell = way),
      heard(message: unknown) {
        if (!isAnswer(message)) return
        last = message.metrics as Snapshot
        answered?.(last)
      },
      ended() {
        ofTheGone = added([ofTheGone, last.filter(isSummed)])
        last = []
        answered?.(null)
      },
      ask(): Promise<Snapshot | null> {
        if (!tell("metrics")) return Promise.resolve(null)
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
      // One that does not answer in time keeps its place in the sums.
      return labelled(answer ?? each.last().filter(isSummed), each.name)
    })
    const up = upOf(sources.map(({ name }, at) => ({ name, up: Boolean(answers[at]) })))
    return AggregatorRegistry.aggregate([
      [up],
      labelled(mine ?? [], "supervisor"),
      ofTheGone,
      ...parts,
    ] as never[]).metrics()
  }
}

function isAnswer(message: unknown): message is FromChild & { metrics: unknown } {
  return typeof message === "object" && message !== null && "metrics" in message
}

/** Of the whole installation, not of a process: ours that only grow. */
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
    help: "1 where the process answers.",
    type: "gauge" as never,
    aggregator: "sum",
    values: processes.map(({ name, up }) => ({ value: up ? 1 : 0, labels: { process: name } })),
  }
}
