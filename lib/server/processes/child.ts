import { log } from "@/lib/platform/log"
import { measureProcess, registry } from "@/lib/platform/metrics"

/** Messages between the supervisor and its child processes. */
export type ToChild = "stop" | "metrics"
export type FromChild = "ready" | { metrics: unknown }

/**
 * Runs a child process of the supervisor until it is told to stop, then waits for `work` to end by itself. The parent
 * handles Ctrl-C; the loss of the parent also stops the child.
 */
export async function runChild(work: (signal: AbortSignal) => Promise<void>) {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.on("SIGINT", () => undefined)
  process.on("SIGTERM", stop)
  process.on("disconnect", stop)
  process.on("message", (message: ToChild) => {
    if (message === "stop") stop()
    if (message === "metrics") void sendMetrics()
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

export function reportReady() {
  if (process.connected) process.send?.("ready" satisfies FromChild)
}

async function sendMetrics() {
  try {
    const metrics = await registry().getMetricsAsJSON()
    if (process.connected) process.send?.({ metrics } satisfies FromChild, () => undefined)
  } catch (error) {
    log.warn({ err: error }, "the metrics could not be sent")
  }
}

/** After a defect the process is in an unknown state: it exits, and the supervisor starts another. */
function fail(error: unknown) {
  log.fatal({ err: error }, "the process exits because of a defect")
  process.exit(1)
}
