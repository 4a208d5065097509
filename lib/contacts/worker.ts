import { foldCounts, removeValues } from "@/lib/contacts/data"
import { sweepImportFiles } from "@/lib/contacts/imports/data"
import { claimImports, type DueImport, holdImports } from "@/lib/contacts/imports/run/data"
import { runImport } from "@/lib/contacts/imports/run/worker"
import { type Clock, hourMs, withTimeLimit } from "@/lib/platform/time"
import { runLeased, runRepeatedly } from "@/lib/platform/jobs/leases"
import { createRotation } from "@/lib/platform/jobs/rotation"
import { removePreferences } from "@/lib/topics/data"
import { projectsThatWait, scoreWaiting, stepScores } from "@/lib/contacts/engagement/data"
import { sqlState } from "@/lib/platform/database/sql-errors"

const foldEveryMs = 1_000
const foldMax = 10_000
const removeEveryMs = 5_000
const removeBudgetMs = 1_000
const filesEveryMs = hourMs

const importsAtOnce = 2
/** Then the imports of others go on. Not much shorter, because each turn reads the file again up to where it was. */
const importTurnMs = 20_000

/**
 * Reads imports and sweeps their files, keeps the counts short to read and the scores current, and removes what hangs on
 * deleted properties and topics, until the signal aborts.
 */
export async function runAudience({
  clock,
  signal,
  leaseMs,
}: {
  clock: Clock
  signal: AbortSignal
  leaseMs: number
}): Promise<void> {
  const rotation = createRotation<DueImport>(({ organizationId }) => organizationId)
  await Promise.all([
    runLeased({
      name: "imports of contacts",
      claim: (limit) => rotation.take((served) => claimImports(limit, leaseMs, served)),
      work: (held, lost) => runImport(held, withTimeLimit(AbortSignal.any([lost, signal]), importTurnMs)),
      heartbeat: (held) => holdImports(held, leaseMs),
      leaseMs,
      intervalMs: 500,
      concurrency: importsAtOnce,
      drainMs: 5_000,
      signal,
    }),
    runRepeatedly({
      name: "files of imports",
      round: () => sweepImportFiles(clock.now(), signal).then(() => false),
      intervalMs: filesEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "audience counts",
      round: async () => (await foldCounts(foldMax)) === foldMax,
      intervalMs: foldEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "deleted properties",
      round: () => removeValues(removeBudgetMs),
      intervalMs: removeEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "deleted topics",
      round: () => removePreferences(removeBudgetMs),
      intervalMs: removeEveryMs,
      signal,
    }),
    runScores({ clock, signal }),
  ])
}

const followEveryMs = 300
/** Scores that no segment waits for are computed more slowly, so that they do not slow down sending. */
const backgroundEveryMs = 1_000
const backgroundMax = 100
const passEveryMs = 1_000
const passBudgetMs = 250

/** Updates the scores of contacts after email events, and once a day as events age, until the signal aborts. */
export async function runScores({ clock, signal }: { clock: Clock; signal: AbortSignal }): Promise<void> {
  const sizes = { follow: createSize(500), background: createSize(backgroundMax), pass: createSize(200) }
  await Promise.all([
    runRepeatedly({
      name: "engagement scores",
      async round() {
        let more = false
        const projectIds = await projectsThatWait()
        for (const projectId of projectIds) {
          const full = await sizes.follow(async (size) => (await scoreWaiting(projectId, size, clock.now())) === size)
          more = full || more
        }
        return more || (projectIds.length > 0 && "soon")
      },
      intervalMs: followEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "engagement scores in the background",
      async round() {
        const scored = await sizes.background((size) => scoreWaiting(null, size, clock.now()))
        return scored > 0 && "soon"
      },
      intervalMs: backgroundEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "engagement pass",
      round: async () => (await passFor(passBudgetMs, { clock, sized: sizes.pass })) && "soon",
      intervalMs: passEveryMs,
      signal,
    }),
  ])
}

type Sized = <T>(work: (size: number) => Promise<T>) => Promise<T>

/** Part of the daily pass: its budget leaves three quarters of the time to other work. Answers whether more is left. */
async function passFor(budgetMs: number, { clock, sized }: { clock: Clock; sized: Sized }): Promise<boolean> {
  const endsAt = performance.now() + budgetMs
  while ((await sized((size) => stepScores(size, clock.now()))) === "more") {
    if (performance.now() >= endsAt) return true
  }
  return false
}

/** The batch size: smaller after statements that took too long, larger again when they end in time. */
function createSize(most: number): Sized {
  const queryCanceled = "57014"
  let size = most
  return async (work) => {
    try {
      const result = await work(size)
      size = Math.min(most, size * 2)
      return result
    } catch (error) {
      if (sqlState(error) === queryCanceled) size = Math.max(1, Math.floor(size / 4))
      throw error
    }
  }
}
