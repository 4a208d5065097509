import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createWriteBuffer } from "@/lib/platform/jobs/batches"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const options = { name: "numbers", afterMs: 100, retryAfterMs: 1_000, batchMax: 2, waitingMax: 3 }

test("items are written in batches a moment after the first of them, in order", async () => {
  const write = vi.fn((_: number[]) => Promise.resolve())
  const buffer = createWriteBuffer(write, options)
  for (const item of [1, 2, 3]) buffer.add(item)
  await vi.advanceTimersByTimeAsync(99)
  expect(write).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(write.mock.calls).toEqual([[[1, 2]], [[3]]])
})

test("a flush is over once all is written, also what came while another wrote", async () => {
  const written: number[] = []
  const buffer = createWriteBuffer(async (items: number[]) => {
    if (written.length === 0) buffer.add(9)
    await Promise.resolve()
    written.push(...items)
  }, options)
  buffer.add(1)
  const first = buffer.flush()
  await buffer.flush()
  expect(written).toEqual([1, 9])
  await first
})

test("what cannot be written is tried again later, before what came since; beyond the maximum the oldest is dropped", async () => {
  const write = vi.fn((_: number[]) => Promise.resolve())
  write.mockRejectedValueOnce(new Error("connect ECONNREFUSED"))
  const buffer = createWriteBuffer(write, options)
  for (const item of [1, 2, 3, 4]) buffer.add(item)
  await buffer.flush()
  expect(buffer.length).toBe(3)
  await vi.advanceTimersByTimeAsync(999)
  expect(write).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(write.mock.calls.slice(1)).toEqual([[[2, 3]], [[4]]])
})
