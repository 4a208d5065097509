import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { optimalTime, summed } from "@/lib/emails/schedule/rules"

const at = (text: string) => new Date(`2026-11-22T${text}Z`)
const now = at("10:20:00")
const opensAt = (...hours: [hour: number, opens: number][]) => {
  const all = Array<number>(24).fill(0)
  for (const [hour, opens] of hours) all[hour] = opens
  return all
}
const day = { start: at("08:00:00"), end: new Date("2026-11-23T08:00:00Z") }

describe("the optimal time", () => {
  test.each([
    ["is in the hour of most opens", opensAt([9, 3], [18, 7]), day, at("18:00:00")],
    [
      "is on the next day, where the window reaches it",
      opensAt([7, 9], [18, 7]),
      day,
      new Date("2026-11-23T07:00:00Z"),
    ],
    ["is in the next best hour, where it does not", opensAt([9, 9], [18, 7]), day, at("18:00:00")],
    ["is now, in the middle of that hour", opensAt([10, 5]), day, now],
    ["is the earlier one of two equal hours", opensAt([20, 2], [15, 2]), day, at("15:00:00")],
    [
      "is the start of the window where nothing is known",
      opensAt(),
      { start: at("12:30:00"), end: at("14:00:00") },
      at("12:30:00"),
    ],
    [
      "is the start where no known hour is inside",
      opensAt([3, 50]),
      { start: at("12:30:00"), end: at("14:00:00") },
      at("12:30:00"),
    ],
    ["is now, where the window has begun and nothing is known", opensAt(), day, now],
  ])("%s", (_, hours, window, expected) => {
    expect(optimalTime(hours, window, now)).toEqual(expected)
  })

  test("is always inside the window and never past, whatever was opened", () => {
    const counts = fc.array(fc.nat(9), { minLength: 24, maxLength: 24 })
    fc.assert(
      fc.property(counts, fc.nat(100_000), fc.integer({ min: 1, max: 2_600_000 }), (hours, wait, length) => {
        const start = new Date(now.getTime() + (wait - 40_000) * 1_000)
        const end = new Date(Math.max(start.getTime(), now.getTime()) + length * 1_000)
        const time = optimalTime(hours, { start, end }, now)
        expect(time.getTime()).toBeGreaterThanOrEqual(Math.max(start.getTime(), now.getTime()))
        expect(time.getTime()).toBeLessThan(end.getTime())
      }),
    )
  })

  test("of people who share an email follows what they opened together", () => {
    expect(optimalTime(summed([opensAt([18, 3]), opensAt([20, 2]), opensAt([20, 2])]), day, now)).toEqual(
      at("20:00:00"),
    )
  })
})
