import { dayMs } from "@/lib/platform/time"
import { sealAuditLog } from "@/lib/access/audit/chain/data"
import { sweepPictures } from "@/lib/contacts/images/data"
import { createRateNotices } from "@/lib/metrics/advisor/worker"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { tellOfQuotas } from "@/lib/projects/quota/worker"
import { foldStoredBytes, markQuotas } from "@/lib/projects/quota/data"
import { keepPartitions } from "@/lib/worker/partition-sql"
import { removeProjects } from "@/lib/worker/project-removal"
import { sweep } from "@/lib/worker/sweep"

const sweepEveryMs = 60_000
/** Also the retry of what a lock prevented. */
const partitionsEveryMs = 10 * 60_000
const picturesEveryMs = dayMs
const quotaNoticesEveryMs = 15_000
const rateNoticesEveryMs = 5 * 60_000
const quotaMarksEveryMs = 60_000
const removalsEveryMs = 60_000
const storedBytesEveryMs = 1_000
const storedBytesMax = 10_000
const auditSealsEveryMs = 5_000
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
      round: () => sealAuditLog(new Date()),
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
