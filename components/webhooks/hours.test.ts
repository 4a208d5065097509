import { expect, test } from "vitest"
import { hourName, hourWords } from "@/components/webhooks/health-card"
import { utcHourRange } from "@/components/ui/time-words"

const hour = (firstSucceeded: number, firstFailed: number) => ({
  hour: "2026-11-20T09:00:00.000Z",
  firstSucceeded,
  firstFailed,
})

test("the name of an hour in the address leads back to it", () => {
  expect(utcHourRange(hourName("2026-11-20T09:00:00.000Z"))?.from).toBe("2026-11-20T09:00:00.000Z")
})

test("an hour says how many deliveries it had and how many failed at first", () => {
  expect(hourWords(hour(65, 18))).toBe("09:00 to 10:00 UTC: 83 deliveries, 18 failed at first")
  expect(hourWords(hour(1, 0))).toBe("09:00 to 10:00 UTC: 1 delivery")
  expect(hourWords(hour(0, 0))).toBe("09:00 to 10:00 UTC: no deliveries")
})
