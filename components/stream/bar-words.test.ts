import { expect, it } from "vitest"
import { barWords, clockOf, periodOf } from "@/components/stream/rate"

const at = 1_790_000_000

it("a bar is read with its time, its number of events and their types, and an empty one as empty", () => {
  const time = clockOf(at)
  expect(barWords(time, { sent: 3, delivery_moved: 1 })).toBe(`${time}, 4 events: 3 sent, 1 delivery_moved`)
  expect(barWords(time, { bounced: 1 })).toBe(`${time}, 1 event: 1 bounced`)
  expect(barWords(time, {})).toBe(`${time}, no events`)
})

it("a second is named by its time, two minutes by their begin and end", () => {
  expect(clockOf(at)).toMatch(/^\d\d:\d\d:20$/)
  expect(periodOf(Math.floor(at / 120))).toMatch(/^\d\d:12 to \d\d:14$/)
})
