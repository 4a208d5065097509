import { expect, test } from "vitest"
import { lastHours, rowsOfHours } from "@/lib/platform/time"

test("the last hours end with the one of the moment, and an hour without a row counts nothing", () => {
  const hours = lastHours(new Date("2026-11-22T01:59:59.999Z"), 3)
  expect(hours.map((hour) => hour.toISOString())).toEqual([
    "2026-11-21T23:00:00.000Z",
    "2026-11-22T00:00:00.000Z",
    "2026-11-22T01:00:00.000Z",
  ])
  const stored = { hour: new Date("2026-11-22T00:00:00Z"), requests: 5 }
  expect(rowsOfHours(hours, [stored], { requests: 0 }).map(({ requests }) => requests)).toEqual([0, 5, 0])
})
