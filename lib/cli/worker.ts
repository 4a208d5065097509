import { runWorker } from "@/lib/worker/run"
import { runChild, sayReady } from "./child"

await runChild((signal) => {
  sayReady()
  return runWorker(signal)
})
