import { existsSync, readFileSync } from "node:fs"
import { expect, test, vi } from "vitest"
import { Problem } from "@/lib/platform/problem"
import { spool } from "@/lib/platform/spool"

const post = (body: BodyInit) => new Request("http://x", { method: "POST", body, duplex: "half" } as RequestInit)
const codeOf = (work: Promise<unknown>) => work.then(() => null, (error: unknown) => (error instanceof Problem ? error.kind.code : error))

test("a body lies on disk as it came until it is removed", async () => {
  const spooled = await spool(post("a,b\r\n1,2\r\n"), 100)
  expect(readFileSync(spooled.path, "utf8")).toBe("a,b\r\n1,2\r\n")
  expect(spooled.bytes).toBe(10)
  await spooled.remove()
  expect(existsSync(spooled.path)).toBe(false)
})

test("a body over its limit is cut off", async () => {
  expect(await codeOf(spool(post("x".repeat(101)), 100))).toBe("request.too_large")
})

test("a body that falls silent is given up after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  try {
    const refused = codeOf(spool(post(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("a")) })), 100))
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    await vi.advanceTimersByTimeAsync(31_000)
    expect(await refused).toBe("request.timeout")
  } finally {
    vi.useRealTimers()
  }
})
