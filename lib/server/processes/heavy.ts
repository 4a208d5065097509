import { once } from "node:events"
import { rmSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { apiRoutes } from "mailroom:api-routes"
import { flushRequests } from "@/lib/api-keys/usage/record"
import { pool } from "@/lib/platform/database/db"
import { yieldToOthers } from "@/lib/platform/jobs/run-apart"
import { runChild, reportReady } from "@/lib/server/processes/supervise"
import { heavyRequestSettings, createHeavyServer } from "@/lib/server/web/heavy-requests"
import { createDirectApi } from "@/lib/server/web/direct-api"

const drainWithinMs = 10_000

await runChild(async (signal) => {
  const { socketPath = "", databaseIsEmbedded } = heavyRequestSettings()
  yieldToOthers(process.pid)
  // The embedded server runs on this machine, under an account that may lower itself.
  if (databaseIsEmbedded)
    pool().on("connect", (client) => yieldToOthers((client as unknown as { processID: number }).processID))
  const server = createHeavyServer(createDirectApi(apiRoutes))
  // Left by a process that was killed; a named pipe goes with it.
  if (process.platform !== "win32") rmSync(socketPath, { force: true })
  server.listen(socketPath)
  await once(server, "listening")
  reportReady()
  if (!signal.aborted) await once(signal, "abort")
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await Promise.race([closed, wait(drainWithinMs, undefined, { ref: false })])
  await flushRequests()
})
