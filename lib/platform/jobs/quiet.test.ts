import { setTimeout as wait } from "node:timers/promises"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { setWatched, wake } from "@/lib/platform/jobs/quiet"

beforeEach(() => setWatched(true))
afterEach(() => setWatched(false))

/** A loop whose rounds take a moment and tell what they found, over work in memory. */
function loopOver(due: number[], { name = "test", roundMs = 0, intervalMs = 2 } = {}) {
  const stop = new AbortController()
  const done: number[] = []
  const round = vi.fn(async () => {
    const found = due.splice(0)
    if (roundMs) await wait(roundMs)
    done.push(...found)
    return false
  })
  const ended = runRepeatedly({ name, round, intervalMs, signal: stop.signal })
  const close = async () => {
    stop.abort()
    await ended
  }
  return { round, done, close }
}

test("no wake is lost, whenever it comes: between rounds, while one looks, while it rests", async () => {
  const arrivals = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(arrivals, fc.integer({ min: 0, max: 4 }), async (pauses, roundMs) => {
      const due: number[] = []
      const { done, close } = loopOver(due, { roundMs })
      for (const [at, pause] of pauses.entries()) {
        await wait(pause)
        due.push(at)
        wake()
      }
      await vi.waitFor(() => expect(done).toHaveLength(pauses.length), { interval: 2 })
      await close()
    }),
    { numRuns: 25 },
  )
})

test("a loop that nobody wakes makes no round", async () => {
  const { round, close } = loopOver([])
  await wait(60)
  expect(round).toHaveBeenCalledTimes(1)
  await close()
})

test("a wake that names a loop leaves the others asleep", async () => {
  const named = loopOver([], { name: "named" })
  const other = loopOver([], { name: "other" })
  await wait(20)
  wake("named")
  await vi.waitFor(() => expect(named.round).toHaveBeenCalledTimes(2))
  expect(other.round).toHaveBeenCalledTimes(1)
  await Promise.all([named.close(), other.close()])
})

test("however often it is woken, a loop pauses between its rounds", async () => {
  const { round, close } = loopOver([], { intervalMs: 40 })
  const until = performance.now() + 100
  while (performance.now() < until) {
    wake()
    await wait(1)
  }
  expect(round.mock.calls.length).toBeLessThanOrEqual(4)
  await close()
})

test("without a watch loops poll, from the moment that it is lost", async () => {
  const { round, close } = loopOver([])
  await wait(20)
  expect(round).toHaveBeenCalledTimes(1)
  setWatched(false)
  await vi.waitFor(() => expect(round.mock.calls.length).toBeGreaterThan(5))
  await close()
})

test("a sleeping loop stops at once", measured, async () => {
  const { close, round } = loopOver([])
  await vi.waitFor(() => expect(round).toHaveBeenCalled())
  const startedAt = performance.now()
  await close()
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})
