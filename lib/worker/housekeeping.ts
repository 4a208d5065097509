import { sweepPictures } from "@/lib/contacts/images/images"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { keepPartitions } from "@/lib/worker/partition-sql"
import { sweep } from "@/lib/worker/sweep"

const sweepEveryMs = 60_000
/** Also the retry of what a lock prevented. */
const partitionsEveryMs = 10 * 60_000
const picturesEveryMs = 24 * 3600_000

/** Removes what is past its retention and adds partitions for the coming months, until the signal aborts. Never rejects. */
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
  ])
}
