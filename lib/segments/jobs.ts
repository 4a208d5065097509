import { runLeased, runRepeatedly } from "@/lib/platform/jobs/leases"
import { createFollower } from "@/lib/segments/follow"
import { claimPasses, holdPasses, releasePass, renewPasses } from "@/lib/segments/member-store"
import { runPass } from "@/lib/segments/pass"
import { createTurns } from "@/lib/segments/turns"
import { removeMembers } from "@/lib/segments/remove-members"

const followEveryMs = 300
const renewEveryMs = 60_000
const removeEveryMs = 1_000
const removeBudgetMs = 1_000
/** Steps of one pass before the passes of other projects have their turn: a quarter of a second. */
const stepsOfTurn = 5
const hourSeconds = 3_600
const daySeconds = 24 * hourSeconds

/** Keeps the members of segments what their filters say, until the signal aborts. Never rejects. */
export async function runSegments({ signal, leaseMs }: { signal: AbortSignal; leaseMs: number }): Promise<void> {
  const turns = createTurns()
  await Promise.all([
    runRepeatedly({ name: "segments", round: createFollower(), intervalMs: followEveryMs, signal }),
    runRepeatedly({
      name: "segment renewal",
      round: () => renewPasses(hourSeconds, daySeconds).then(() => false),
      intervalMs: renewEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "deleted segments",
      round: () => removeMembers(removeBudgetMs),
      intervalMs: removeEveryMs,
      signal,
    }),
    runLeased({
      name: "segment passes",
      claim: (limit) => turns.take((served) => claimPasses(limit, leaseMs, served)),
      async work(pass, aborted) {
        if (!(await runPass(pass, { steps: stepsOfTurn, signal: AbortSignal.any([aborted, signal]) })))
          await releasePass(pass)
      },
      heartbeat: (passes) => holdPasses(passes, leaseMs),
      leaseMs,
      intervalMs: 1_000,
      concurrency: 2,
      drainMs: 5_000,
      signal,
    }),
  ])
}
