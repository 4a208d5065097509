import { foldCounts, removeValues } from "@/lib/contacts/data"
import { runScores } from "@/lib/contacts/engagement/worker"
import { sweepImportFiles } from "@/lib/contacts/imports/data"
import { claimImports, holdImports } from "@/lib/contacts/imports/run/data"
import { runImport } from "@/lib/contacts/imports/run/worker"
import { type Clock, hourMs } from "@/lib/platform/time"
import { runLeased, runRepeatedly } from "@/lib/platform/jobs/leases"
import { removePreferences } from "@/lib/topics/data"

const foldEveryMs = 1_000
const foldMax = 10_000
const removeEveryMs = 5_000
const removeBudgetMs = 1_000
const filesEveryMs = hourMs

const importsAtOnce = 2

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
  await Promise.all([
    runLeased({
      name: "imports of contacts",
      claim: (limit) => claimImports(limit, leaseMs),
      work: (held, lost) => runImport(held, AbortSignal.any([lost, signal])),
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
