import { expect, it } from "vitest"
import { barWords, clockOf, periodOf } from "@/components/stream/rate"

const at = 1_790_000_000

it("a bar is read with its time, its number of events and their types, and an empty one as empty", () => {
  const time = clockOf(at, "UTC")
  expect(barWords(time, { sent: 3, delivery_moved: 1 })).toBe(`${time}, 4 events: 3 sent, 1 delivery_moved`)
  expect(barWords(time, { bounced: 1 })).toBe(`${time}, 1 event: 1 bounced`)
  expect(barWords(time, {})).toBe(`${time}, no events`)
})

it("a second is named by its time, two minutes by their begin and end", () => {
  expect(clockOf(at, "UTC")).toBe("14:13:20")
  expect(periodOf(Math.floor(at / 120), "UTC")).toBe("14:12 to 14:14")
  expect(clockOf(at, "Asia/Kolkata"), "in the zone of the reader").toBe("19:43:20")
})
