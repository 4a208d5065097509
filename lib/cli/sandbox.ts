import { runSandbox } from "@/lib/sandbox/run"
import { runChild, sayReady } from "./child"

await runChild((signal) => {
  sayReady()
  return runSandbox(signal)
})
