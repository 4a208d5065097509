import { claimBroadcasts, holdBroadcasts } from "@/lib/broadcasts/claim-sql"
import { runBroadcast } from "@/lib/broadcasts/run"
import { runLeased } from "@/lib/platform/jobs/leases"

/** Broadcasts that one process sends at once. */
const atOnce = 4

/** Sends broadcasts that are due until the signal aborts. Never rejects. */
export function runBroadcasts({ signal, leaseMs }: { signal: AbortSignal; leaseMs: number }): Promise<void> {
  return runLeased({
    name: "broadcasts",
    claim: (limit) => claimBroadcasts(limit, leaseMs),
    work: (held, lost) => runBroadcast(held, AbortSignal.any([lost, signal])),
    heartbeat: (held) => holdBroadcasts(held, leaseMs),
    leaseMs,
    intervalMs: 500,
    concurrency: atOnce,
    drainMs: 5_000,
    signal,
  })
}
