import { setTimeout as sleep } from "node:timers/promises"

/**
 * Asks again and again until the answer is the one expected. Whatever is asked `ms` milliseconds or more after the first
 * question must be answered so: a machine that answers late fails nothing, a product that goes on for longer does.
 */
export async function expectWithin(ms: number, ask: () => Promise<unknown>, expected: unknown): Promise<void> {
  const since = performance.now()
  for (;;) {
    const askedAfterMs = performance.now() - since
    const answer = JSON.stringify(await ask())
    if (answer === JSON.stringify(expected)) return
    if (askedAfterMs >= ms) throw new Error(`Asked after ${Math.round(askedAfterMs)} ms it is ${answer}.`)
    await sleep(200)
  }
}
