import { runInbound } from "@/lib/inbound/run"
import { closeDatabase } from "@/lib/platform/database/db"
import { runChild, reportReady } from "@/lib/server/processes/child"

await runChild(async (signal) => {
  await runInbound(signal, { onReady: reportReady })
  await closeDatabase()
})
