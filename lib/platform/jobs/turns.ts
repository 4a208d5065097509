import { setImmediate, setTimeout as sleep } from "node:timers/promises"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { createKeyedSlots } from "@/lib/platform/jobs/slots"

const turnMs = 10

/**
 * For work on many items in one go: await it after each, and others of this process come in between once ten milliseconds
 * are over.
 */
export function createTurns(): () => Promise<void> {
  let until = performance.now() + turnMs
  return async () => {
    if (performance.now() < until) return
    await setImmediate()
    until = performance.now() + turnMs
  }
}

/**
 * Works through items in batches for about `budgetMs`: `step` does one batch of an item, and answers whether more is left.
 * At least one batch is done.
 * @returns whether something is left, for the next call to continue with
 */
export async function withinBudget<T>(
  items: readonly T[],
  step: (item: T) => Promise<boolean>,
  budgetMs: number,
): Promise<boolean> {
  const endsAt = performance.now() + budgetMs
  for (const item of items) {
    while (await step(item)) {
      if (performance.now() >= endsAt) return true
    }
  }
  return false
}

const retryAfterSeconds = 5

/**
 * Heavy work of one owner, such as a project, in this process: one at a time, and after each a rest of the same length, so that the
 * requests of others come in between. Each result is there before the rest. With `limit`, a call that has waited for its turn for
 * so long is refused.
 * @throws serviceUnavailable with `busy`, and `Retry-After`
 */
export function createShare(limit?: {
  waitMs: number
  busy: string
}): <T>(owner: string, work: () => T | Promise<T>) => Promise<T> {
  const ofOwners = createKeyedSlots(1)

  return (owner, work) =>
    new Promise((resolve, reject) => {
      let isLate = false
      const timer = limit && setTimeout(refuse, limit.waitMs)
      function refuse() {
        isLate = true
        reject(serviceUnavailable(limit?.busy, { retryAfterSeconds }))
      }
      void ofOwners(owner, async () => {
        clearTimeout(timer)
        if (isLate) return
        const startedAt = performance.now()
        try {
          resolve(await work())
        } catch (error) {
          reject(error as Error)
        }
        await sleep(performance.now() - startedAt)
      })
    })
}
