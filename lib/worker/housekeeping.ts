import { setTimeout as wait } from "node:timers/promises"
import { createSealing } from "@/lib/access/audit/chain/data"
import { sweepPictures } from "@/lib/contacts/images/data"
import { createRateNotices } from "@/lib/metrics/advisor/worker"
import { pool } from "@/lib/platform/database/db"
import { batchMax, type RetentionStep } from "@/lib/platform/database/deletion-sql"
import { withinBudget } from "@/lib/platform/jobs/turns"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { counter, gauge } from "@/lib/platform/metrics"
import { dayMs } from "@/lib/platform/time"
import { oneBatch, type RemovableProject, removableProjects, removeEmptied } from "@/lib/projects/data"
import { foldStoredBytes, markQuotas } from "@/lib/projects/quota/data"
import { tellOfQuotas } from "@/lib/projects/worker"
import { removalSteps, sweepSteps } from "@/lib/worker/removal-sql"
import { keepPartitions } from "@/lib/worker/partition-sql"

/** Half a hundred tables: what has expired is refused from its minute on, whether it is still stored or not. */
const sweepEveryMs = 5 * 60_000
/** Also the retry of what a lock prevented. */
const partitionsEveryMs = 10 * 60_000
const picturesEveryMs = dayMs
const quotaNoticesEveryMs = 15_000
const rateNoticesEveryMs = 5 * 60_000
const quotaMarksEveryMs = 60_000
const removalsEveryMs = 60_000
const storedBytesEveryMs = 1_000
const storedBytesMax = 10_000
const auditSealsEveryMs = 15_000
const againAfterMs = 250
/** How long a round removes before the next one begins. */
const removalBudgetMs = 10_000

/**
 * Removes what is past its retention and projects that were deleted, adds partitions for the coming months, counts what is
 * stored, seals the audit log, notes the use of quotas and tells owners what they need to know, until the signal aborts. Never rejects.
 */
export async function runHousekeeping(signal: AbortSignal): Promise<void> {
  await Promise.all([
    runRepeatedly({ name: "sweep", round: () => sweep(), intervalMs: sweepEveryMs, signal }),
    runRepeatedly({
      name: "partitions",
      round: () => keepPartitions().then(() => false),
      intervalMs: partitionsEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "pictures",
      round: () => sweepPictures(new Date(), signal).then(() => false),
      intervalMs: picturesEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "quota notices",
      round: tellOfQuotas,
      intervalMs: quotaNoticesEveryMs,
      restMs: quotaNoticesEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "rate notices",
      round: createRateNotices(),
      intervalMs: rateNoticesEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "quota marks",
      round: () => markQuotas().then(() => false),
      intervalMs: quotaMarksEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "stored bytes",
      round: async () => (await foldStoredBytes(storedBytesMax)) === storedBytesMax,
      intervalMs: storedBytesEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "audit seals",
      round: createSealing(),
      intervalMs: auditSealsEveryMs,
      restMs: auditSealsEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "removal of projects",
      round: () => removeProjects(removalBudgetMs),
      intervalMs: removalsEveryMs,
      signal,
    }),
  ])
}

/** The step at which the removal of a project is, in this process; a restart begins with the first, which finds nothing. */
const progress = new Map<string, number>()

/**
 * Removes projects that can no longer be restored, for about `budgetMs`, in batches that commit one by one.
 * @returns whether something is left, for the next call to continue with
 */
export async function removeProjects(budgetMs: number): Promise<boolean> {
  return withinBudget(await removableProjects(), removeBatch, budgetMs)
}

/** One batch of a project. False once the project is gone, or another worker is at it. */
async function removeBatch(project: RemovableProject): Promise<boolean> {
  const at = progress.get(project.id) ?? 0
  const step = removalSteps[at]
  if (!step) {
    await removeRow(project)
    return false
  }
  const batch = await oneBatch(project.id, (on) => step.run(on, project.id))
  if (batch?.done === null) progress.set(project.id, at + 1)
  return batch !== null
}

/** Removes what a project owns, batch by batch; the project itself and what is in these tables stay. */
export async function emptyProject(projectId: string, kept: ReadonlySet<string>): Promise<void> {
  for (const step of removalSteps.filter(({ table }) => !kept.has(table))) {
    for (;;) {
      const batch = await oneBatch(projectId, (on) => step.run(on, projectId))
      if (batch?.done === null) break
      // Another process is at it.
      if (batch === null) await wait(againAfterMs)
    }
  }
}

async function removeRow(project: RemovableProject): Promise<void> {
  if (!(await removeEmptied(project))) return
  progress.delete(project.id)
  log.info({ projectId: project.id }, "a deleted project was removed")
}

const failures = counter("mailroom_sweep_failures_total", "Steps of the sweep that failed.", ["step"])
const successes = gauge(
  "mailroom_sweep_last_success_timestamp_seconds",
  "When this worker last ran the step of the sweep without a failure, in Unix time.",
  ["step"],
)

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
    const removed = await run(pool())
    successes.setToCurrentTime({ step: name })
    return removed >= batchMax
  } catch (error) {
    failures.inc({ step: name })
    log.error({ err: error, step: name }, "a step of the sweep failed; the next sweep runs it again")
    return false
  }
}
