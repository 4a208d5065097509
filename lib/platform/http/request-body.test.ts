import { expect, test, vi } from "vitest"
import { readAtMost } from "@/lib/platform/http/request-body"

/** Sends one octet every few milliseconds, and never ends by itself. */
function endless() {
  const cancelled = vi.fn<() => void>()
  let timer: NodeJS.Timeout
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (timer = setInterval(() => controller.enqueue(Uint8Array.of(0x20)), 5)),
    cancel() {
      clearInterval(timer)
      cancelled()
    },
  })
  return { body, cancelled }
}

test("a body that does not end is given up with the signal, whatever the request does with it", async () => {
  const { body, cancelled } = endless()
  await expect(readAtMost(body, 1_000_000, AbortSignal.timeout(50))).rejects.toThrow(/timeout/)
  expect(cancelled).toHaveBeenCalledOnce()
})

test("a body that is too long is given up at its limit", async () => {
  const { body, cancelled } = endless()
  expect(await readAtMost(body, 3)).toBeNull()
  expect(cancelled).toHaveBeenCalledOnce()
})

test("a body is read to its end", async () => {
  expect(await readAtMost(new Blob(["Hello, ", "Ada"]).stream(), 10, AbortSignal.timeout(1_000))).toBe("Hello, Ada")
  expect(await readAtMost(null, 10)).toBe("")
})
