import { expect, test } from "vitest"
import { daysLeft, remembered } from "@/lib/projects/installation/store"
import { dayMs } from "@/lib/platform/time"

const start = new Date("2026-11-20T00:00:00Z")
const at = (days: number, usedBytes: number) => ({ at: new Date(start.getTime() + days * dayMs), usedBytes })

test("the days left follow from the growth since an earlier use, and are unknown without growth or in the first day", () => {
  expect(daysLeft(at(0, 1_000), at(4, 1_400), 1_050)).toBe(10)
  expect(daysLeft(at(0, 1_000), at(4, 1_000), 1_050)).toBeNull()
  expect(daysLeft(at(0, 1_000), at(4, 900), 1_050)).toBeNull()
  expect(daysLeft(at(0, 1_000), at(0.9, 1_400), 1_050)).toBeNull()
  expect(daysLeft(null, at(4, 1_400), 1_050)).toBeNull()
})

test("what is remembered grows a week old, then moves half way, and growth stays what it was", () => {
  expect(remembered(null, at(0, 1_000))).toEqual(at(0, 1_000))
  expect(remembered(at(0, 1_000), at(6.9, 1_690))).toBeNull()
  const moved = remembered(at(0, 1_000), at(8, 1_800))
  expect(moved).toEqual(at(4, 1_400))
  expect(daysLeft(moved, at(8, 1_800), 1_000)).toBe(10)
})
