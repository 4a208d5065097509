import { expect, test } from "vitest"
import { createMemoryLimit } from "@/lib/access/guard"

test("a key has its limit in each minute from its first call on, whatever other keys do", () => {
  let now = 0
  const limit = createMemoryLimit(2, () => now)
  expect(limit.take("a")).toBe(0)
  now = 50_000
  expect(limit.take("a")).toBe(0)
  expect(limit.take("a")).toBe(10_000)
  expect(limit.take("b")).toBe(0)
  now = 60_000
  expect(limit.take("a")).toBe(0)
})

test("what is refused does not prolong the wait", () => {
  let now = 0
  const limit = createMemoryLimit(1, () => now)
  limit.take("a")
  for (now = 1_000; now < 60_000; now += 1_000) expect(limit.take("a")).toBe(60_000 - now)
  expect(limit.take("a")).toBe(0)
})
