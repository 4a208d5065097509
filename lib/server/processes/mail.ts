import { runInbound } from "@/lib/inbound/run"
import { runChild, reportReady } from "@/lib/server/processes/child"

await runChild((signal) => runInbound(signal, { onReady: reportReady }))
