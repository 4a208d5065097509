import type { SetupProbes } from "@/lib/delivery/setup/context"
import { isLoopTestUnseen } from "@/lib/delivery/setup/data"
import { watchDisk } from "@/lib/delivery/setup/installation"
import { checkSetup } from "@/lib/delivery/setup/report"
import { claimSetupCheck } from "@/lib/delivery/regions/turned-on-store"
import { SlotsBusy } from "@/lib/platform/jobs/slots"
import { runRepeatedly } from "@/lib/platform/jobs/leases"

const askedEveryMs = 60_000

/** Checks the rows when they are due, until the signal aborts. Never rejects. */
export function runSetupChecks(signal: AbortSignal): Promise<void> {
  return runRepeatedly({
    name: "set-up checks",
    intervalMs: askedEveryMs,
    restMs: askedEveryMs,
    signal,
    async round() {
      await watchDisk()
      await checkSetupIfDue()
      return false
    },
  })
}

/**
 * Checks the rows of regions that send to others every 30 minutes, in one worker each time, and those of all regions once a loop
 * test has ended: a region that lacked nothing else is turned on by it.
 */
export async function checkSetupIfDue(probes?: SetupProbes): Promise<void> {
  if (!(await claimSetupCheck()) && !(await isLoopTestUnseen())) return
  await checkSetup(probes).catch((error: unknown) => {
    // An operator's check of the same rows is under way.
    if (!(error instanceof SlotsBusy)) throw error
  })
}
