import { expect, test, vi } from "vitest"
import { perProcess } from "@/lib/platform/per-process"

test("a value is made once a process, also for a module that is evaluated twice, and one that is undefined too", async () => {
  const make = vi.fn(() => ({}))
  const first = perProcess("test", make)
  vi.resetModules()
  const again = await import("@/lib/platform/per-process")
  expect(again.perProcess).not.toBe(perProcess)
  expect(again.perProcess("test", make)).toBe(first)
  expect(make).toHaveBeenCalledTimes(1)
  const nothing = vi.fn(() => undefined)
  for (let turn = 0; turn < 2; turn++) expect(perProcess("nothing", nothing)).toBeUndefined()
  expect(nothing).toHaveBeenCalledTimes(1)
})
