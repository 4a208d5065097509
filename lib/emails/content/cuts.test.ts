import fc from "fast-check"
import { randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { base64Lines, putIn, takeOut } from "@/lib/emails/content/cuts"

const file = fc.oneof(
  fc.uint8Array({ maxLength: 4_000 }),
  fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 4_000 }))
    .map(([byte, length]) => Buffer.alloc(length, byte)),
)

test("a message whose files were taken out comes back octet by octet, whatever the files are and how often they occur", () => {
  fc.assert(
    fc.property(
      fc.array(file, { maxLength: 6 }),
      fc.array(fc.nat(7), { maxLength: 8 }),
      fc.string(),
      (files, order, text) => {
        const buffers = files.map((one) => Buffer.from(one))
        const parts = order.map((index) => base64Lines(buffers[index] ?? Buffer.from(text)))
        const raw = Buffer.from([text, ...parts, text].join("\r\n--b\r\n"))
        const taken = takeOut(raw, buffers)
        expect(putIn(taken, buffers).equals(raw)).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

test("a large file is stored once: what stays of the message is the rest, also where the same file is attached twice", () => {
  const large = randomBytes(300_000)
  const raw = Buffer.from(`head\r\n\r\n${base64Lines(large)}\r\n--b\r\n${base64Lines(large)}\r\n--b--\r\n`)
  const { rest, cuts } = takeOut(raw, [large, large])
  expect(rest.toString()).toBe("head\r\n\r\n\r\n--b\r\n\r\n--b--\r\n")
  expect(cuts).toEqual([
    [8, 0],
    [15, 1],
  ])
})
