import { runLeased, runRepeatedly } from "@/lib/platform/jobs/leases"
import type { FollowContacts } from "@/lib/segments/event-sql"
import { createFollower } from "@/lib/segments/follow"
import { claimPasses, extendPasses, releasePass, renewPasses, type Pass } from "@/lib/segments/pass-sql"
import { runPass } from "@/lib/segments/pass"
import { removeMembers } from "@/lib/segments/removal-store"

const followEveryMs = 300
const renewEveryMs = 60_000
const removeEveryMs = 1_000
const removeBudgetMs = 1_000
/** Steps of one pass before the passes of other projects go on: a quarter of a second. */
const stepsAtOnce = 5
const hourSeconds = 3_600
const daySeconds = 24 * hourSeconds

type Running = { signal: AbortSignal; leaseMs: number; followScores: FollowContacts }

/** Keeps the members of segments in line with their filters until the signal aborts. Never rejects. */
export async function runSegments({ signal, leaseMs, followScores }: Running): Promise<void> {
  const rotation = createRotation()
  await Promise.all([
    runRepeatedly({ name: "segments", round: createFollower(followScores), intervalMs: followEveryMs, signal }),
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
      claim: (limit) => rotation.take((served) => claimPasses(limit, leaseMs, served)),
      async work(pass, aborted) {
        if (!(await runPass(pass, { steps: stepsAtOnce, signal: AbortSignal.any([aborted, signal]) })))
          await releasePass(pass)
      },
      heartbeat: (passes) => extendPasses(passes, leaseMs),
      leaseMs,
      intervalMs: 1_000,
      concurrency: 2,
      drainMs: 5_000,
      signal,
    }),
  ])
}

const rememberedMax = 1_000

/** Serves projects in rotation: passes are claimed by when their project was served last, longest ago first. */
export function createRotation() {
  const served = new Set<string>()

  return {
    async take(claim: (served: readonly string[]) => Promise<Pass[]>): Promise<Pass[]> {
      const passes = await claim([...served])
      for (const { projectId } of passes) {
        served.delete(projectId)
        served.add(projectId)
      }
      for (const projectId of served) {
        if (served.size <= rememberedMax) break
        served.delete(projectId)
      }
      return passes
    },
  }
}
