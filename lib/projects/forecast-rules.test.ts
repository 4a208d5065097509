import fc from "fast-check"
import { expect, it } from "vitest"
import { forecastOf, type UsageReading } from "@/lib/projects/rules"

const at = (time: string) => new Date(`2026-11-22T${time}Z`)
const minute = 60_000

/** Some moment of a day, an earlier reading in its last hour, and a limit. */
const situation = fc
  .record({
    now: fc.date({ min: at("01:00:00"), max: at("23:59:59.999"), noInvalidDate: true }),
    minutes: fc.integer({ min: 15, max: 60 }),
    before: fc.nat(1_000_000),
    sent: fc.nat(1_000_000),
    limit: fc.integer({ min: 1, max: 2_000_000 }),
  })
  .map(({ now, minutes, before, sent, limit }) => ({
    now,
    used: before + sent,
    limit,
    earlier: { at: new Date(now.getTime() - minutes * minute), used: before } satisfies UsageReading,
  }))

it("at 1,000 sends in the last half hour, the remaining 3,000 last an hour and a half", () => {
  const earlier = { at: at("14:40:00"), used: 46_000 }
  expect(forecastOf({ now: at("15:10:00"), used: 47_000, limit: 50_000, earlier })).toEqual({
    resetsAt: new Date("2026-11-23T00:00:00Z"),
    perHour: 2_000,
    runsOutAt: at("16:40:00"),
  })
})

it("what is forecast lies in the future and before the allowance is refilled", () => {
  fc.assert(
    fc.property(situation, (given) => {
      const { runsOutAt, resetsAt } = forecastOf(given)
      expect(resetsAt.getTime() % (24 * 60 * minute)).toBe(0)
      expect(resetsAt.getTime() - given.now.getTime()).toBeGreaterThan(0)
      expect(resetsAt.getTime() - given.now.getTime()).toBeLessThanOrEqual(24 * 60 * minute)
      if (!runsOutAt) return
      expect(runsOutAt.getTime()).toBeGreaterThan(given.now.getTime())
      expect(runsOutAt.getTime()).toBeLessThan(resetsAt.getTime())
    }),
  )
})

it("at the time of the forecast the pace has used the allowance, and a moment before it has not", () => {
  fc.assert(
    fc.property(situation, (given) => {
      const { runsOutAt } = forecastOf(given)
      if (!runsOutAt) return
      const { now, used, limit, earlier } = given
      const pace = (used - earlier.used) / (now.getTime() - earlier.at.getTime())
      const usedAt = (time: number) => used + pace * (time - now.getTime())
      expect(usedAt(runsOutAt.getTime())).toBeGreaterThanOrEqual(limit - 1e-3)
      expect(usedAt(runsOutAt.getTime() - 1)).toBeLessThan(limit + 1e-3)
    }),
  )
})

it("without a forecast, the pace does not use the allowance before midnight", () => {
  fc.assert(
    fc.property(situation, (given) => {
      const { runsOutAt, resetsAt } = forecastOf(given)
      const { now, used, limit, earlier } = given
      if (runsOutAt || used >= limit) return
      const pace = (used - earlier.used) / (now.getTime() - earlier.at.getTime())
      expect(used + pace * (resetsAt.getTime() - now.getTime())).toBeLessThanOrEqual(limit + pace + 1e-3)
    }),
  )
})

it("a faster pace or a lower limit never runs out later", () => {
  fc.assert(
    fc.property(situation, fc.nat(100_000), fc.nat(100_000), (given, faster, lower) => {
      const slow = forecastOf(given).runsOutAt
      if (!slow || given.used + faster >= given.limit - lower) return
      const fast = forecastOf({ ...given, used: given.used + faster, limit: given.limit - lower }).runsOutAt
      expect(fast?.getTime()).toBeLessThanOrEqual(slow.getTime())
    }),
  )
})

it("less than 15 minutes of today say nothing, and neither does a reading of yesterday", () => {
  const given = { used: 900, limit: 1_000 }
  const none = { resetsAt: new Date("2026-11-23T00:00:00Z") }
  const readings = [null, { at: at("11:46:00"), used: 0 }, { at: new Date("2026-11-21T23:50:00Z"), used: 0 }]
  for (const earlier of readings) expect(forecastOf({ ...given, now: at("12:00:00"), earlier })).toEqual(none)
})

it("with nothing sent lately, or nothing left, there is a pace and no time", () => {
  const earlier = { at: at("11:00:00"), used: 500 }
  const resetsAt = new Date("2026-11-23T00:00:00Z")
  expect(forecastOf({ now: at("12:00:00"), used: 500, limit: 1_000, earlier })).toEqual({ resetsAt, perHour: 0 })
  expect(forecastOf({ now: at("12:00:00"), used: 1_000, limit: 1_000, earlier })).toEqual({ resetsAt, perHour: 500 })
})
