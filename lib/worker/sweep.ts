import { pool } from "@/lib/platform/database/db"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import { batchMax, sweepSteps, type SweepStep } from "@/lib/worker/retention-store"

const failures = counter("mailroom_sweep_failures_total", "Steps of the sweep that failed.", ["step"])

/**
 * One batch of everything that has had its time. A step that fails is logged and counted, and the others go on.
 * @returns whether there may be more
 */
export async function sweep(steps: readonly SweepStep[] = sweepSteps): Promise<boolean> {
  let more = false
  for (const step of steps) more = (await runStep(step)) || more
  return more
}

async function runStep({ name, run }: SweepStep): Promise<boolean> {
  try {
    return (await run(pool())) >= batchMax
  } catch (error) {
    failures.inc({ step: name })
    log.error({ err: error, step: name }, "a step of the sweep failed; it comes again with the next one")
    return false
  }
}
