import { runChild } from "@/lib/server/processes/supervise"
import { runWorker } from "@/lib/worker/run"

/** The worker as it runs in the product, but for a lease that a test can wait for. */
await runChild((signal) => {
  process.stdout.write("started\n")
  return runWorker(signal, { leaseMs: 2_000 })
})
