import { expect, test } from "vitest"
import { utcHourRange, utcHourWords } from "@/components/ui/time-words"

test("an hour is all from its first to its last millisecond; other text is none", () => {
  expect(utcHourRange("2026-11-20T09")).toEqual({ from: "2026-11-20T09:00:00.000Z", to: "2026-11-20T09:59:59.999Z" })
  for (const text of ["", "today", "2026-11-20", "2026-13-20T09", "2026-11-20T24", "2026-11-20T09:00"])
    expect(utcHourRange(text)).toBeNull()
})

test("an hour is written with its end, past midnight too", () => {
  expect(utcHourWords("2026-11-20T09")).toBe("09:00 to 10:00 UTC")
  expect(utcHourWords("2026-11-20T23")).toBe("23:00 to 00:00 UTC")
})
