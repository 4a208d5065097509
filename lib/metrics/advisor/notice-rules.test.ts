import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { largestCause, mayTell, type Part, quietMs, type RateTold } from "@/lib/metrics/advisor/notice-rules"

const day = 86_400_000
const at = (ms: number) => new Date(Date.UTC(2026, 10, 22) + ms)

describe("a critical rate is told", () => {
  test.each<[string, RateTold | undefined, boolean]>([
    ["the first time", undefined, true],
    ["not again while it is critical", { toldAt: at(-30 * day), recoveredAt: null }, false],
    ["not again within 7 days", { toldAt: at(-7 * day + 1), recoveredAt: at(-day) }, false],
    ["again after it recovered and 7 days", { toldAt: at(-7 * day), recoveredAt: at(-day) }, true],
  ])("%s", (_, last, expected) => {
    expect(mayTell(last, at(0))).toBe(expected)
  })

  test("at most once in 7 days and never twice without a recovery, whatever it does", () => {
    const steps = fc.array(fc.record({ critical: fc.boolean(), ms: fc.integer({ min: 1, max: 5 * day }) }), {
      maxLength: 80,
    })
    fc.assert(
      fc.property(steps, (all) => {
        let last: RateTold | undefined
        let now = 0
        for (const { critical, ms } of all) {
          now += ms
          if (!critical) last &&= { ...last, recoveredAt: last.recoveredAt ?? at(now) }
          else if (mayTell(last, at(now))) {
            if (last) {
              expect(now - (last.toldAt.getTime() - at(0).getTime())).toBeGreaterThanOrEqual(quietMs)
              expect(last.recoveredAt).not.toBeNull()
            }
            last = { toldAt: at(now), recoveredAt: null }
          }
        }
      }),
    )
  })
})

describe("the largest cause", () => {
  const total = { count: 100, of: 1_000 }
  test.each<[string, Omit<Part, "by">[], string | undefined]>([
    [
      "is the part with the most beyond the average",
      [
        { key: "a", count: 60, of: 100 },
        { key: "b", count: 40, of: 100 },
      ],
      "a",
    ],
    ["is not the part with the most email", [{ key: "all", count: 100, of: 1_000 }], undefined],
    ["is not a part that explains little", [{ key: "small", count: 29, of: 30 }], undefined],
    [
      "is the first of two alike",
      [
        { key: "topic", count: 60, of: 60 },
        { key: "tag", count: 60, of: 60 },
      ],
      "topic",
    ],
    ["is none without parts", [], undefined],
  ])("%s", (_, parts, expected) => {
    const tagged = parts.map((part): Part => ({ by: "tag", ...part }))
    expect(largestCause(tagged, total)?.key).toBe(expected)
  })
})
