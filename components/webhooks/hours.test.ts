import { expect, test } from "vitest"
import { hourName, hourWords, rangeOfHour, spanWords } from "@/components/webhooks/hours"

const hour = (firstSucceeded: number, firstFailed: number) => ({
  hour: "2026-11-20T09:00:00.000Z",
  firstSucceeded,
  firstFailed,
})

test("an hour in the address is the deliveries from its first to its last millisecond", () => {
  expect(rangeOfHour(hourName("2026-11-20T09:00:00.000Z"))).toEqual({
    since: "2026-11-20T09:00:00.000Z",
    until: "2026-11-20T09:59:59.999Z",
  })
  for (const text of ["", "today", "2026-11-20", "2026-11-20T24", "2026-11-20T09:00"])
    expect(rangeOfHour(text)).toBeNull()
})

test("an hour says how many deliveries it had and how many failed at first", () => {
  expect(hourWords(hour(65, 18))).toBe("09:00 to 10:00 UTC: 83 deliveries, 18 failed at first")
  expect(hourWords(hour(1, 0))).toBe("09:00 to 10:00 UTC: 1 delivery")
  expect(hourWords(hour(0, 0))).toBe("09:00 to 10:00 UTC: no deliveries")
  expect(spanWords("2026-11-20T23")).toBe("23:00 to 00:00 UTC")
})
