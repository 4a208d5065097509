import { expect, it } from "vitest"
import { backoff } from "@/components/stream/stream-connection"

it("each retry waits twice as long, never more than 36 seconds, and two pages do not come at once", () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => backoff(attempt, () => 0.5))).toEqual([
    1000, 2000, 4000, 8000, 16000, 30000, 30000,
  ])
  expect(backoff(99, () => 1)).toBe(36_000)
  expect(backoff(0, () => 0)).not.toBe(backoff(0, () => 1))
})
