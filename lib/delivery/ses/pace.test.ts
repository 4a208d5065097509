import { describe, expect, test } from "vitest"
import { createPace } from "@/lib/delivery/ses/transport"

function paced() {
  let now = 0
  const pace = createPace(() => now)
  return { pace, at: (ms: number) => (now = ms), waits: () => pace.take()?.waitMs ?? null }
}

describe("the pace of a provider", () => {
  test("is the account's rate: one place after the other", () => {
    const { pace, waits } = paced()
    pace.learned(10)
    expect([waits(), waits(), waits()]).toEqual([0, 100, 200])
  })

  test("halves at a refusal, once for those that were on their way together, and pauses longer each time", () => {
    const { pace, at, waits } = paced()
    pace.learned(10)
    const waiting = pace.take()
    expect(waiting?.isCurrent()).toBe(true)
    expect(pace.refused("rate")).toBe(1_000)
    expect(waiting?.isCurrent(), "what waited takes another place").toBe(false)
    expect(pace.refused("rate"), "of the same second").toBe(1_000)
    at(1_000)
    expect([waits(), waits()], "at half the rate").toEqual([0, 200])
    expect(pace.refused("rate"), "the second pause").toBe(2_000)
  })

  test("recovers with what is accepted, up to the account's rate and no further", () => {
    const { pace, at, waits } = paced()
    pace.learned(10)
    pace.refused("rate")
    at(2_000)
    for (let accepted = 0; accepted < 100; accepted++) pace.accepted()
    expect([waits(), waits()]).toEqual([0, 100])
    expect(pace.refused("rate"), "the first pause again").toBe(1_000)
  })

  test("sends back what would wait for more than half a minute", () => {
    const { pace, waits } = paced()
    pace.learned(1)
    const all = Array.from({ length: 40 }, waits)
    expect(all.filter((wait) => wait === null)).toHaveLength(9)
    expect(pace.later(0.5), "milliseconds until it is tried again").toBe(45_000)
  })

  test("stops for minutes at the limit of a day, and does not get slower by errors", () => {
    const { pace, at, waits } = paced()
    pace.learned(10)
    expect(pace.refused("daily")).toBe(300_000)
    expect(waits()).toBeNull()
    at(300_000)
    pace.refused("errors")
    at(400_000)
    expect([waits(), waits()]).toEqual([0, 100])
  })
})
