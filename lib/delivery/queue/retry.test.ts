import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nextAttemptAt } from "@/lib/delivery/queue/rules"

const start = new Date("2026-11-21T08:00:00.000Z")
const hourMs = 3_600_000

function schedule(random: () => number, giveUpAfterSeconds?: number): Date[] {
  const attempts = [start]
  for (let now = start; ;) {
    const next = nextAttemptAt(attempts.length, start, now, random(), giveUpAfterSeconds)
    if (!next) return attempts
    attempts.push(next)
    now = next
  }
}

const waitsMin = (attempts: readonly Date[]) =>
  attempts.slice(1).map((at, n) => (at.getTime() - (attempts[n]?.getTime() ?? 0)) / 60_000)

describe("nextAttemptAt", () => {
  it("waits 1, 5, 15, 60, 120, 240 minutes, then 4 hours each time", () => {
    const waits = waitsMin(schedule(() => 0.5))
    expect(waits.slice(0, 6)).toEqual([1, 5, 15, 60, 120, 240])
    expect(new Set(waits.slice(6))).toEqual(new Set([240]))
  })

  it("moves each wait by at most 20 %, and never retries after 72 hours", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })), (numbers) => {
        const attempts = schedule(() => numbers.next().value)
        const planned = [1, 5, 15, 60, 120, 240]
        for (const [n, wait] of waitsMin(attempts).entries()) {
          const plan = planned[n] ?? 240
          expect(wait).toBeGreaterThanOrEqual(plan * 0.8 - 0.001)
          expect(wait).toBeLessThanOrEqual(plan * 1.2 + 0.001)
        }
        const last = attempts.at(-1)?.getTime() ?? 0
        expect(last - start.getTime()).toBeLessThanOrEqual(72 * hourMs)
        expect(last - start.getTime()).toBeGreaterThan(67 * hourMs)
      }),
    )
  })

  it("gives up earlier where the send says so, and never later than 72 hours", () => {
    expect(schedule(() => 0.5, 600)).toHaveLength(3)
    expect(schedule(() => 0.5, 0)).toHaveLength(1)
    expect(schedule(() => 0.5, 1e9)).toEqual(schedule(() => 0.5))
  })

  it("counts from the attempt that just failed, so a worker that was paused does not hurry", () => {
    const late = new Date(start.getTime() + 10 * hourMs)
    expect(nextAttemptAt(1, start, late, 0.5)).toEqual(new Date(late.getTime() + 60_000))
  })
})
