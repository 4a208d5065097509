import { setTimeout as sleep } from "node:timers/promises"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { createKeyedSlots } from "@/lib/platform/jobs/slots"

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
