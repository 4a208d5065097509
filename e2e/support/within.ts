import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"

/**
 * Asks again and again until the answer is the one expected. Whatever is asked `ms` milliseconds or more after the first
 * question must be answered so: a machine that answers late fails nothing, a product that goes on for longer does.
 */
export async function expectWithin(ms: number, ask: () => Promise<unknown>, expected: unknown): Promise<void> {
  const since = performance.now()
  for (;;) {
    const askedAfterMs = performance.now() - since
    const answer = await ask()
    if (askedAfterMs >= ms || matches(answer, expected)) return expect(answer).toEqual(expected)
    await sleep(50)
  }
}

function matches(answer: unknown, expected: unknown): boolean {
  return JSON.stringify(answer) === JSON.stringify(expected)
}
