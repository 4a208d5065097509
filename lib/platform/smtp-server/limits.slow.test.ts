import { PassThrough } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { SMTPServerDataStream } from "smtp-server"
import { expect, test } from "vitest"
import { collectGarbage } from "@/e2e/support/platform/garbage"
import { readAll } from "@/lib/platform/smtp-server/limits"

function heapMib(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

test("T108: a message that comes in 100,000 pieces takes little more memory than it has octets, and is read whole", async () => {
  const stream = Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false }) as SMTPServerDataStream
  const before = heapMib()
  const message = readAll(stream, { take: () => true, leave: () => undefined }, 60_000)
  for (let line = 0; line < 100_000; line++) {
    stream.write(".\r\n")
    // As the server's library does it after each line that begins with a dot; without, they would be read in larger pieces.
    await nextTurn()
  }
  await expect.poll(() => stream.readableLength).toBe(0)
  expect(heapMib() - before, "MiB").toBeLessThan(4)
  stream.end()
  expect(String(await message)).toBe(".\r\n".repeat(100_000))
})
