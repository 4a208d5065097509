import { startCellServer } from "@/e2e/support/cell-server"
import { closeDatabase } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { runChild } from "@/lib/server/processes/supervise"

/** A cell beside the one of the test. */
await runChild(async (signal) => {
  const web = await startCellServer(env().port)
  process.stdout.write("started\n")
  await new Promise((resolve) => signal.addEventListener("abort", resolve))
  await web.drain(0)
  await closeDatabase()
})
