import { expect, test } from "vitest"
import { rowOfSecond } from "@/components/stream/live-stream"

const second = Date.parse("2026-11-23T09:30:10.000Z") / 1_000
const events = ["08.000", "10.000", "10.900", "11.000", "14.500"].map((at) => ({
  occurredAt: `2026-11-23T09:30:${at}Z`,
}))

test("a second leads to the newest of its events, and one without events to the next older one", () => {
  expect(rowOfSecond(events, 0, second)).toBe(2)
  expect(rowOfSecond(events, 0, second + 1)).toBe(1)
  expect(rowOfSecond(events, 0, second + 3)).toBe(1)
  expect(rowOfSecond(events, 0, second + 60)).toBe(0)
})

test("a second before all events leads to the last row", () => {
  expect(rowOfSecond(events, 0, second - 60)).toBe(4)
})

test("the line between the two parts counts as a row", () => {
  expect(rowOfSecond(events, 3, second)).toBe(3)
  expect(rowOfSecond(events, 3, second + 1)).toBe(1)
})
