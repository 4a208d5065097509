import { pool } from "@/lib/platform/database/db"
import { batchMax, type RetentionStep } from "@/lib/platform/database/retention-sql"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import { sweepSteps } from "@/lib/worker/retention-sql"

const failures = counter("mailroom_sweep_failures_total", "Steps of the sweep that failed.", ["step"])

/**
 * One batch of everything whose retention has ended. A step that fails is logged and counted, and the others go on.
 * @returns whether there may be more
 */
export async function sweep(steps: readonly RetentionStep[] = sweepSteps): Promise<boolean> {
  let more = false
  for (const step of steps) more = (await runStep(step)) || more
  return more
}

async function runStep({ name, run }: RetentionStep): Promise<boolean> {
  try {
    return (await run(pool())) >= batchMax
  } catch (error) {
    failures.inc({ step: name })
    log.error({ err: error, step: name }, "a step of the sweep failed; the next sweep runs it again")
    return false
  }
}
