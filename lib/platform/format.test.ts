import fc from "fast-check"
import { expect, it } from "vitest"
import { cutText } from "@/lib/platform/format"

const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary" }),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  ),
})

it("keeps at most so many characters, in a form that JSON and PostgreSQL take", () => {
  fc.assert(
    fc.property(anyText, fc.nat(40), (text, most) => {
      const cut = cutText(text, most)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut).not.toContain("\0")
      expect([...cut].length).toBeLessThanOrEqual(most)
      expect([...cut]).toEqual([...text.toWellFormed().replaceAll("\0", "\ufffd")].slice(0, most))
    }),
    { numRuns: 2_000 },
  )
})

it("never cuts an emoji in half", () => {
  expect(cutText("a😀😀", 2)).toBe("a😀")
  expect(cutText("😀".repeat(1_000_000), 3)).toBe("😀😀😀")
})
