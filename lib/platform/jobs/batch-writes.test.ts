import { expect, test, vi } from "vitest"
import { batchWrites } from "@/lib/platform/jobs/batches"

test("waiting calls share one run, up to the maximum, and each gets its own result", async () => {
  const run = vi.fn((items: number[]) => Promise.resolve(items.map((item) => item * 2)))
  const double = batchWrites(run, { max: 3 })
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(run.mock.calls).toEqual([[[1, 2, 3]], [[4]]])
})

test("as many runs as are allowed are under way at once, and what comes meanwhile waits for the next", async () => {
  const ends: (() => void)[] = []
  const run = vi.fn((items: number[]) => new Promise<number[]>((resolve) => ends.push(() => resolve(items))))
  const same = batchWrites(run, { max: 2, runsMax: 2 })
  const first = Promise.all([1, 2].map(same))
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1))
  const others = Promise.all([3, 4, 5].map(same))
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2))
  await new Promise((resolve) => setImmediate(resolve))
  expect(run.mock.calls).toEqual([[[1, 2]], [[3, 4]]])
  ends[0]?.()
  expect(await first).toEqual([1, 2])
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(3))
  for (const end of ends) end()
  expect(await others).toEqual([3, 4, 5])
})

test("a run has no more bytes than are allowed, unless a single item has", async () => {
  const run = vi.fn((items: string[]) => Promise.resolve(items))
  const same = batchWrites(run, { max: 3, bytes: { of: (item) => item.length, max: 5 } })
  const items = ["aaa", "bb", "c", "dddddddd", "e", "f", "g", "h"]
  expect(await Promise.all(items.map(same))).toEqual(items)
  expect(run.mock.calls).toEqual([[["aaa", "bb"]], [["c"]], [["dddddddd"]], [["e", "f", "g"]], [["h"]]])
})

test("one bad item fails alone", async () => {
  const run = vi.fn((items: number[]) =>
    items.includes(2) ? Promise.reject(new Error("two")) : Promise.resolve(items),
  )
  const same = batchWrites(run, { max: 10 })
  const outs = await Promise.allSettled([1, 2, 3].map(same))
  expect(outs.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
})

test("an unreachable database fails all at once", async () => {
  const run = vi.fn(() => Promise.reject(new Error("connect ECONNREFUSED")))
  const outs = await Promise.allSettled([1, 2, 3].map(batchWrites(run, { max: 10 })))
  expect(outs.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
  expect(run).toHaveBeenCalledTimes(1)
})

test("a call after a pause runs at once; one that comes soon after waits until its batch is full", async () => {
  const run = vi.fn((items: number[]) => Promise.resolve(items))
  const same = batchWrites(run, { max: 3, spacingMs: 60_000 })
  await same(1)
  expect(await Promise.all([2, 3, 4].map(same))).toEqual([2, 3, 4])
  expect(run.mock.calls).toEqual([[[1]], [[2, 3, 4]]])
})

test("a batch that is not full runs when its time has come", async () => {
  const run = vi.fn((items: number[]) => Promise.resolve(items))
  const same = batchWrites(run, { max: 3, spacingMs: 20 })
  await same(1)
  const before = performance.now()
  expect(await Promise.all([2, 3].map(same))).toEqual([2, 3])
  expect(performance.now() - before).toBeGreaterThan(5)
  expect(run.mock.calls).toEqual([[[1]], [[2, 3]]])
})
