import { runSandbox } from "@/lib/sandbox/run"
import { runChild, reportReady } from "@/lib/cli/supervisor/child"

await runChild((signal) => {
  reportReady()
  return runSandbox(signal)
})
