import { log } from "@/lib/platform/log"
import { measureProcess, registry } from "@/lib/platform/metrics"

/** What the supervisor and its children say to each other over the channel between them. */
export type ToChild = "stop" | "metrics"
export type FromChild = "ready" | { metrics: unknown }

/**
 * Runs a child process of the supervisor until it is told to stop, then waits for `work` to end by itself.
 * Ctrl-C is the parent's to handle; a parent that is gone is the same as being told.
 */
export async function runChild(work: (signal: AbortSignal) => Promise<void>) {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.on("SIGINT", () => undefined)
  process.on("SIGTERM", stop)
  process.on("disconnect", stop)
  process.on("message", (message: ToChild) => {
    if (message === "stop") stop()
    if (message === "metrics") void tellMetrics()
  })
  measureProcess()
  process.on("unhandledRejection", fail)
  process.on("uncaughtException", fail)
  try {
    await work(stopped.signal)
    process.exit(0)
  } catch (error) {
    fail(error)
  }
}

export function sayReady() {
  if (process.connected) process.send?.("ready" satisfies FromChild)
}

async function tellMetrics() {
  try {
    const metrics = await registry().getMetricsAsJSON()
    if (process.connected) process.send?.({ metrics } satisfies FromChild, () => undefined)
  } catch (error) {
    log.warn({ err: error }, "the metrics could not be told")
  }
}

/** A process that does not know its own state any more ends; the supervisor starts another. */
function fail(error: unknown) {
  log.fatal({ err: error }, "this process ends because of a defect")
  process.exit(1)
}
