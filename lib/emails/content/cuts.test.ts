import fc from "fast-check"
import { randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
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
        const raw = Buffer.from([text, ...parts, text].join("\r\n--b\r\nContent-Type: a/b\r\n\r\n"))
        const taken = takeOut(raw, buffers)
        expect(putIn(taken, buffers).equals(raw)).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

/** A message with these parts. */
const messageOf = (...bodies: string[]) =>
  Buffer.from(`From: a@b.test\r\n\r\n${bodies.map((body) => `--b\r\n${head}${body}\r\n`).join("")}--b--\r\n`)
const head = "Content-Transfer-Encoding: base64\r\n\r\n"

test("a large file is stored once: what stays of the message is the rest, also where the same file is attached twice", () => {
  const large = randomBytes(300_000)
  const raw = messageOf("Hi", base64Lines(large), base64Lines(large))
  const { rest, cuts } = takeOut(raw, [large, large])
  expect(rest.toString()).toBe(messageOf("Hi", "", "").toString())
  const first = `From: a@b.test\r\n\r\n--b\r\n${head}Hi\r\n--b\r\n${head}`.length
  expect(cuts).toEqual([
    [first, 0],
    [first + `\r\n--b\r\n${head}`.length, 1],
  ])
})

test("a text that is written like parts hides no file", () => {
  const large = randomBytes(30_000)
  for (const text of ["a\r\n\r\nb\r\n-- \r\nc\r\n\r\n", "\r\n\r\n", "--b\r\n\r\n", `\r\n\r\n${base64Lines(large)}x`]) {
    const { rest, cuts } = takeOut(messageOf(text, base64Lines(large)), [large])
    expect(rest.toString()).toBe(messageOf(text, "").toString())
    expect(cuts).toHaveLength(1)
  }
})

test("files of megabytes that differ in one octet are taken out within 500 ms of CPU", measured, () => {
  const empty = Buffer.alloc(57 * 60_000)
  const almost = Buffer.alloc(57 * 40_000)
  almost[100] = 1
  const raw = messageOf("Hi", base64Lines(empty), base64Lines(almost))
  const before = process.cpuUsage()
  const { cuts } = takeOut(raw, [empty, almost])
  const { user, system } = process.cpuUsage(before)
  expect(
    cuts.map(([, file]) => file),
    "the files",
  ).toEqual([0, 1])
  expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(500)
})
