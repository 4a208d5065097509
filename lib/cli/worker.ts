import { runWorker } from "@/lib/worker/run"
import { runChild, reportReady } from "@/lib/cli/supervisor/child"

await runChild((signal) => {
  reportReady()
  return runWorker(signal)
})
