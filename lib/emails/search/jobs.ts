import { indexQueued } from "@/lib/emails/search/index-sql"
import { runRepeatedly } from "@/lib/platform/jobs/leases"

/** An email is found in the queue meanwhile, so this need not be soon. */
const intervalMs = 5_000

/** Keeps the index of the search until the signal aborts. Never rejects. */
export function runEmailSearch(signal: AbortSignal): Promise<void> {
  return runRepeatedly({ name: "email search", round: indexQueued, intervalMs, signal })
}
