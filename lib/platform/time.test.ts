import { describe, expect, test } from "vitest"
import { collectGarbage } from "@/e2e/support/platform/garbage"
import { withTimeLimit } from "@/lib/platform/time"

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))

describe("a time limit", () => {
  test("ends what waits, however often garbage is collected meanwhile", async () => {
    const outer = Array.from({ length: 100 }, () => withTimeLimit(new AbortController().signal, 200))
    const nested = outer.map((signal) => withTimeLimit(signal, 60_000))
    const all = Promise.all(nested.map(aborted))
    collectGarbage()
    await new Promise((resolve) => setTimeout(resolve, 20))
    collectGarbage()
    await all
    expect(nested.every(({ reason }) => (reason as Error).name === "TimeoutError")).toBe(true)
  })

  test("ends with the signal that it was given, with its reason, also where that was aborted before", async () => {
    const controller = new AbortController()
    const limited = withTimeLimit(controller.signal, 60_000)
    expect(limited.aborted).toBe(false)
    controller.abort(new Error("over"))
    expect(limited.reason).toEqual(new Error("over"))
    expect(withTimeLimit(controller.signal, 60_000).reason).toEqual(new Error("over"))
  })
})
