import { runSandbox } from "@/lib/sandbox/run"
import { runChild, reportReady } from "@/lib/server/processes/supervise"

await runChild((signal) => {
  reportReady()
  return runSandbox(signal)
})
