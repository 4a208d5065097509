import { setImmediate } from "node:timers/promises"

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
