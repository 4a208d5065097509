import { expect, test, vi } from "vitest"
import { createThroughput } from "@/lib/platform/jobs/throughput"

test("An owner goes on within the burst, then pauses for as long as the rest takes; another one does not", () => {
  let now = 0
  vi.spyOn(performance, "now").mockImplementation(() => now)
  const pace = createThroughput({ perSecond: 1_000, burst: 500 })
  expect([pace("a", 400), pace("a", 100), pace("a", 250), pace("b", 500)]).toEqual([0, 0, 250, 0])
  now = 250
  expect(pace("a", 0), "paid for, but for the burst").toBe(0)
  expect(pace("a", 100)).toBe(100)
  now = 10_000
  expect(pace("a", 500), "the burst is there again").toBe(0)
  vi.restoreAllMocks()
})
