import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { judgeDue } from "@/lib/tracking/hits/data"

const batchMax = 500
const intervalMs = 500

/** Turns requests for tracked images and links into events until the signal aborts. Never rejects. */
export function runTracking(signal: AbortSignal): Promise<void> {
  return runRepeatedly({
    name: "opens and clicks",
    async round() {
      const judged = await judgeDue(batchMax)
      return judged === batchMax || (judged > 0 && "soon")
    },
    intervalMs,
    signal,
  })
}
