import { afterEach, expect, test, vi } from "vitest"
import { pool } from "@/lib/platform/database/db"

afterEach(() => void vi.useRealTimers())

test("connections are still open after an hour without a statement", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  await Promise.all([1, 2, 3].map(() => pool().query("SELECT pg_sleep(0.05)")))
  const open = pool().totalCount
  expect(open).toBeGreaterThanOrEqual(3)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect({ totalCount: pool().totalCount, idleCount: pool().idleCount }).toEqual({ totalCount: open, idleCount: open })
})
