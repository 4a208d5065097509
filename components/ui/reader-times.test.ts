import { expect, test } from "vitest"
import { withReaderTimes } from "@/components/ui/local-time"

const now = new Date("2026-11-28T04:00:00Z")
const sentence = "Waits since 2026-11-27 16:40 UTC; it is tried again at 2026-11-28 14:02 UTC."

test("moments inside a sentence are in the reader's zone, with the day where it is another one", () => {
  expect(withReaderTimes(sentence, "Asia/Tokyo", now)).toBe("Waits since 01:40; it is tried again at 23:02.")
  expect(withReaderTimes(sentence, "America/Los_Angeles", now)).toBe(
    "Waits since 08:40; it is tried again at 06:02 on 28 November.",
  )
  expect(withReaderTimes(sentence, "UTC", now)).toBe(
    "Waits since 16:40 UTC on 27 November; it is tried again at 14:02 UTC.",
  )
})

test("a notice, whose words are also sent by mail, too", () => {
  expect(withReaderTimes("at midnight UTC (28 Nov 2026, 00:00 UTC)", "Asia/Tokyo", now)).toBe("at midnight UTC (09:00)")
  expect(withReaderTimes("since 9 Sept 2026, 10:04 UTC.", "Asia/Tokyo", now)).toBe("since 19:04 on 9 September.")
})

test("with the year where it is another one, and the second where it is given", () => {
  expect(withReaderTimes("until 2027-01-01 00:30:15 UTC", "Europe/Berlin", now)).toBe(
    "until 01:30:15 on 1 January 2027",
  )
  expect(withReaderTimes("2026-11-28, resets at midnight UTC", "Asia/Tokyo", now)).toBe(
    "2026-11-28, resets at midnight UTC",
  )
})
