import { expect, it } from "vitest"
import { dailyState } from "@/components/settings/daily-state"

const resetsAt = "2026-11-23T00:00:00.000Z"
/** As in Berlin. */
const timeOfDay = (at: string) => new Date(Date.parse(at) + 3600_000).toISOString().slice(11, 16)
const of = (given: Omit<Parameters<typeof dailyState>[0], "value" | "resetsAt">) =>
  dailyState({ value: 1_000, resetsAt, ...given }, timeOfDay)

it("is amber from 80% and red at 100%, when it says until when sends are refused", () => {
  expect([of({}), of({ used: 799 }), of({ used: 800 }), of({ used: 999 })].map(({ tone }) => tone)).toEqual([
    ...["accent", "accent", "warn", "warn"],
  ])
  for (const used of [1_000, 1_200])
    expect(of({ used })).toEqual({ tone: "bad", note: "Sending is refused until 01:00." })
})

it("is amber as soon as the pace runs into the limit today, and says when in the reader's time", () => {
  expect(of({ used: 300, perHour: 12_345, runsOutAt: "2026-11-22T15:40:00.000Z" })).toEqual({
    tone: "warn",
    note: "Runs out at 16:40, at 12,345 an hour.",
  })
})

it("says what the pace means while it lasts, and nothing of a pace that is not known or zero", () => {
  expect(of({ used: 10, perHour: 20 }).note).toBe("At 20 an hour it does not run out; resets at 01:00.")
  for (const quiet of [{}, { perHour: 0 }]) expect(of(quiet).note).toBe("For the whole organization; resets at 01:00.")
})
