import fc from "fast-check"
import { expect, test } from "vitest"
import { readCursor, writeCursor } from "@/lib/platform/http/cursors"

const position = fc.record({
  key: fc.string({ unit: "grapheme" }),
  direction: fc.constantFrom("next" as const, "previous" as const),
})

test("its own collection reads the position back from a cursor", () => {
  fc.assert(
    fc.property(fc.string(), position, (collection, where) => {
      fc.pre(Buffer.byteLength(where.key) < 300)
      expect(readCursor(collection, writeCursor(collection, where))).toEqual(where)
    }),
  )
})

test("a cursor of another collection, with a bit flipped, or made up is 404", () => {
  fc.assert(
    fc.property(position, fc.nat(), (where, at) => {
      fc.pre(Buffer.byteLength(where.key) < 300)
      const cursor = writeCursor("project|segment", where)
      expect(() => readCursor("project|other", cursor)).toThrow("does not belong")
      const bytes = Buffer.from(cursor, "base64url")
      const index = at % bytes.length
      bytes[index] = (bytes[index] ?? 0) ^ (1 << (at % 8))
      expect(() => readCursor("project|segment", bytes.toString("base64url"))).toThrow("does not belong")
    }),
  )
  for (const made of ["", "x", Buffer.from('{"id":0}').toString("base64url"), "a".repeat(10_000), "%%%"]) {
    expect(() => readCursor("project|segment", made)).toThrow("does not belong")
  }
})
