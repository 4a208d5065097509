import { runSandbox } from "@/lib/sandbox/run"
import { runChild, sayReady } from "@/lib/cli/supervisor/child"

await runChild((signal) => {
  sayReady()
  return runSandbox(signal)
})
