import { createDelayNotices } from "@/lib/delivery/queue/delayed-sql"
import { runRepeatedly } from "@/lib/platform/jobs/leases"

const everyMs = 30_000

/** Notes email that has waited for long, until the signal aborts. Never rejects. */
export function runDelayNotices(signal: AbortSignal): Promise<void> {
  const note = createDelayNotices()
  return runRepeatedly({
    name: "delay notices",
    round: async () => (await note()) > 0,
    intervalMs: everyMs,
    restMs: everyMs,
    signal,
  })
}
