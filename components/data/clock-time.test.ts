import { expect, test } from "vitest"
import { dayTimeWords } from "@/components/data/clock-time"

const now = Date.parse("2026-11-28T14:00:00Z")
const words = (at: string, short = false) => dayTimeWords(at, { now, timeZone: "UTC", short })

test("a moment of today has its time alone, one of another day that day, and one of another year that year", () => {
  expect(words("2026-11-28T09:05:07Z")).toBe("09:05:07")
  expect(words("2026-11-27T09:05:07Z")).toBe("27 Nov, 09:05:07")
  expect(words("2026-11-27T09:05:07Z", true)).toBe("27 Nov")
  // A year ago to the day is not today.
  expect(words("2025-11-28T09:05:07Z")).toBe("28 Nov 2025, 09:05:07")
  expect(words("2025-12-31T23:59:59Z", true)).toBe("31 Dec 2025")
})
