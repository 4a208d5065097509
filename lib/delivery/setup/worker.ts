import { checkSetup } from "@/lib/delivery/setup/report"
import { claimSetupCheck } from "@/lib/delivery/regions/turned-on-store"
import { SlotsBusy } from "@/lib/platform/jobs/slots"
import { runRepeatedly } from "@/lib/platform/jobs/leases"

const askedEveryMs = 60_000

/** Checks the rows of regions that send to others every 30 minutes, in one worker each time, until the signal aborts. Never rejects. */
export function runSetupChecks(signal: AbortSignal): Promise<void> {
  return runRepeatedly({
    name: "set-up checks",
    intervalMs: askedEveryMs,
    restMs: askedEveryMs,
    signal,
    async round() {
      if (!(await claimSetupCheck())) return false
      await checkSetup().catch((error: unknown) => {
        // An operator's check of the same rows is under way.
        if (!(error instanceof SlotsBusy)) throw error
      })
      return false
    },
  })
}
