import { removeValues } from "@/lib/contact-properties/remove-values"
import { foldCounts } from "@/lib/contacts/count-store"
import type { Clock } from "@/lib/platform/clock"
import { runRepeatedly } from "@/lib/platform/leases"
import { removePreferences } from "@/lib/topics/remove-preferences"

const foldEveryMs = 1_000
const foldMax = 10_000
const removeEveryMs = 5_000
const removeBudgetMs = 1_000

/** Keeps the counts short to read and removes what hangs on deleted properties and topics, until the signal aborts. */
export async function runAudience({ clock, signal }: { clock: Clock; signal: AbortSignal }): Promise<void> {
  await Promise.all([
    runRepeatedly({
      name: "audience counts",
      round: async () => (await foldCounts(foldMax)) === foldMax,
      intervalMs: foldEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "deleted properties",
      round: () => removeValues(clock, removeBudgetMs),
      intervalMs: removeEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "deleted topics",
      round: () => removePreferences(clock, removeBudgetMs),
      intervalMs: removeEveryMs,
      signal,
    }),
  ])
}
