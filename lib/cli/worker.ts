import { runWorker } from "@/lib/worker/run"
import { runChild, sayReady } from "@/lib/cli/supervisor/child"

await runChild((signal) => {
  sayReady()
  return runWorker(signal)
})
