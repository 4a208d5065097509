import { expect, test } from "vitest"
import { createLeaseRoom } from "@/lib/platform/jobs/leases"

function roomAt(options = { least: 40, most: 400, horizonMs: 250 }) {
  let clock = 0
  const room = createLeaseRoom(options, () => clock)
  return (count: number, ms = 100) => {
    for (let at = 0; at < count; at += 1) room.ended()
    clock += ms
    return room.size()
  }
}

test("the number of rows grows with the pace of the work, up to its maximum", () => {
  const after = roomAt()
  expect(after(0, 0)).toBe(40)
  expect(after(40)).toBe(100)
  expect(after(100)).toBe(250)
  expect(after(1_000)).toBe(400)
})

test("the number of rows shrinks to its minimum when work is slow, and survives one pause", () => {
  const after = roomAt()
  expect(after(100)).toBe(250)
  expect(after(0)).toBe(250)
  expect(after(1)).toBe(40)
  expect(after(0, 60_000)).toBe(40)
})
