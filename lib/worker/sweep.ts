import { accessRetention } from "@/lib/access/retention-sql"
import { keyRetention } from "@/lib/api-keys/retention-sql"
import { contactRetention } from "@/lib/contacts/retention-sql"
import { domainRetention } from "@/lib/domains/dmarc/retention-sql"
import { emailRetention } from "@/lib/emails/retention-sql"
import { metricRetention } from "@/lib/metrics/retention-sql"
import { pool } from "@/lib/platform/database/db"
import { agedDeletion, batchMax, type RetentionStep } from "@/lib/platform/database/retention-sql"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import { projectRetention } from "@/lib/projects/retention-sql"
import { sandboxRetention } from "@/lib/sandbox/retention-sql"
import { streamRetention } from "@/lib/stream/retention-sql"
import { trackingRetention } from "@/lib/tracking/retention-sql"
import { webhookRetention } from "@/lib/webhooks/retention-sql"

const failures = counter("mailroom_sweep_failures_total", "Steps of the sweep that failed.", ["step"])

const providerEventDays = 90

/** What every area declares, and the table that no area writes yet. */
export const sweepSteps: readonly RetentionStep[] = [
  ...emailRetention,
  ...sandboxRetention,
  ...streamRetention,
  ...webhookRetention,
  ...accessRetention,
  ...keyRetention,
  ...contactRetention,
  ...domainRetention,
  ...projectRetention,
  ...metricRetention,
  ...trackingRetention,
  agedDeletion("provider events", "provider_events", "created_at", () => providerEventDays),
]

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
