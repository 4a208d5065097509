import fc from "fast-check"
import { expect, it } from "vitest"
import { wireForm } from "@/lib/delivery/smtp/transaction"

it("whatever a message holds, it leaves with CRLF only, stuffed dots and an end of line", () => {
  const octets = fc.array(fc.constantFrom("\r", "\n", "\r\n", ".", "a", "\x80"), { maxLength: 40 })
  fc.assert(
    fc.property(octets, (pieces) => {
      const wire = wireForm(Buffer.from(pieces.join(""), "latin1")).toString("latin1")
      expect(wire).toMatch(/\r\n$/)
      expect(wire).not.toMatch(/\r(?!\n)|(?<!\r)\n/)
      expect(wire).not.toMatch(/(^|\r\n)\.(?!\.)/)
      const lines = pieces.join("").replace(/\r\n|\r|\n/g, "\r\n")
      const read = wire.replace(/(^|\r\n)\.\./g, "$1.")
      expect(read).toBe(lines.endsWith("\r\n") ? lines : `${lines}\r\n`)
    }),
    { numRuns: 2_000 },
  )
})

it("a message that needs no change is not copied", () => {
  const message = Buffer.from("Subject: a\r\n\r\nhello\r\n")
  expect(wireForm(message)).toBe(message)
})
