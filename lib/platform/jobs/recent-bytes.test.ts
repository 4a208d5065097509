import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { createRecentBytes } from "@/lib/platform/jobs/recent-bytes"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("keeps no more than so many bytes, the latest of them", () => {
  const recent = createRecentBytes({ bytesMax: 10, ageMsMax: 1_000 })
  recent.keep("a", Buffer.alloc(4))
  recent.keep("b", Buffer.alloc(4))
  recent.keep("c", Buffer.alloc(4))
  expect(["a", "b", "c"].map((key) => recent.get(key)?.length)).toEqual([undefined, 4, 4])
  recent.keep("too many", Buffer.alloc(11))
  expect(recent.get("too many")).toBeUndefined()
  expect(recent.get("c")).toBeDefined()
})

it("forgets what was kept for longer than it may, and counts what is replaced once", () => {
  const recent = createRecentBytes({ bytesMax: 10, ageMsMax: 1_000 })
  recent.keep("a", Buffer.alloc(6))
  vi.advanceTimersByTime(600)
  recent.keep("a", Buffer.alloc(5))
  recent.keep("b", Buffer.alloc(5))
  vi.advanceTimersByTime(600)
  expect(recent.get("a")?.length).toBe(5)
  vi.advanceTimersByTime(400)
  expect(recent.get("a")).toBeUndefined()
  expect(recent.get("b")).toBeUndefined()
})
