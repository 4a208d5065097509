import { projectsThatWait, scoreWaiting } from "@/lib/contacts/engagement/work-sql"
import { stepScores } from "@/lib/contacts/engagement/pass-sql"
import type { Clock } from "@/lib/platform/clock"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { sqlState } from "@/lib/platform/database/sql-errors"

const followEveryMs = 300
/** Where no segment waits for scores they come at leisure: many mails at once must not be slowed by it. */
const leisureEveryMs = 1_000
const leisureMax = 100
const passEveryMs = 1_000
const passBudgetMs = 250

/** Keeps the scores of contacts what their mail says, and lets them fade with the days, until the signal aborts. */
export async function runScores({ clock, signal }: { clock: Clock; signal: AbortSignal }): Promise<void> {
  const sizes = { follow: createSize(500), leisure: createSize(leisureMax), pass: createSize(200) }
  await Promise.all([
    runRepeatedly({
      name: "engagement scores",
      async round() {
        let more = false
        for (const projectId of await projectsThatWait()) {
          const full = await sizes.follow(async (size) => (await scoreWaiting(projectId, size, clock.now())) === size)
          more = full || more
        }
        return more
      },
      intervalMs: followEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "engagement scores at leisure",
      round: () => sizes.leisure((size) => scoreWaiting(null, size, clock.now())).then(() => false),
      intervalMs: leisureEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "engagement pass",
      round: () => passFor(passBudgetMs, { clock, sized: sizes.pass }).then(() => false),
      intervalMs: passEveryMs,
      signal,
    }),
  ])
}

type Sized = <T>(work: (size: number) => Promise<T>) => Promise<T>

/** So long a stretch of the daily pass that three quarters of the time are everybody else's. */
async function passFor(budgetMs: number, { clock, sized }: { clock: Clock; sized: Sized }): Promise<void> {
  const endsAt = performance.now() + budgetMs
  while ((await sized((size) => stepScores(size, clock.now()))) === "more" && performance.now() < endsAt);
}

/** How many contacts at once: fewer after statements that took too long, and more again as they end in time. */
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
