import { indexQueued } from "@/lib/emails/search/data"
import { runRepeatedly } from "@/lib/platform/jobs/leases"

/** Until then an email is found in the queue, so this is not urgent. */
const intervalMs = 5_000

/** Keeps the index of the search until the signal aborts. Never rejects. */
export function runEmailSearch(signal: AbortSignal): Promise<void> {
  return runRepeatedly({ name: "email search", round: indexQueued, intervalMs, signal })
}
