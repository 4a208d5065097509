import { expect, it } from "vitest"
import { clockOf, secondWords } from "@/components/stream/second-words"

const at = 1_790_000_000

it("a second is read with its time, its number of events and their types, and an empty one as empty", () => {
  expect(secondWords(at, { sent: 3, delivery_moved: 1 })).toBe(`${clockOf(at)}, 4 events: 3 sent, 1 delivery_moved`)
  expect(secondWords(at, { bounced: 1 })).toBe(`${clockOf(at)}, 1 event: 1 bounced`)
  expect(secondWords(at, {})).toBe(`${clockOf(at)}, no events`)
  expect(clockOf(at)).toMatch(/^\d\d:\d\d:20$/)
})
