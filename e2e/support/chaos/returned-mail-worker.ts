import { runReturnedMail } from "@/lib/inbound/jobs"
import { closeDatabase } from "@/lib/platform/database/db"
import { runChild } from "@/lib/server/processes/supervise"

/** The loop of the worker that reads returned mail, in a process of its own as in the product. */
await runChild(async (signal) => {
  process.stdout.write("started\n")
  await runReturnedMail({ signal, leaseMs: 60_000 })
  await closeDatabase()
})
