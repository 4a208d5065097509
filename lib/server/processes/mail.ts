import { serve } from "@/lib/api/serve"
import { flushRequests } from "@/lib/api-keys/usage/record"
import { sendEmail } from "@/lib/emails/send/api"
import { runInbound } from "@/lib/inbound/run"
import { closeDatabase } from "@/lib/platform/database/db"
import { runChild, reportReady } from "@/lib/server/processes/supervise"
import { runSubmission } from "@/lib/submission/server"

await runChild(async (signal) => {
  const listening = new Set<string>()
  const ready = (name: string) => () => {
    if (listening.add(name).size === 2) reportReady()
  }
  await Promise.all([
    runInbound(signal, { onReady: ready("inbound") }),
    runSubmission(signal, { send: serve(sendEmail).POST.answer, onReady: ready("submission") }),
  ])
  await flushRequests()
  await closeDatabase()
})
