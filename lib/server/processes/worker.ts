import { warmUp } from "@/lib/platform/database/db"
import { runWorker } from "@/lib/worker/run"
import { runChild, reportReady } from "@/lib/server/processes/supervise"

await runChild((signal) => {
  reportReady()
  void warmUp()
  return runWorker(signal)
})
