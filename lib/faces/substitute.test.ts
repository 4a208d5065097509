import fc from "fast-check"
import { expect, test } from "vitest"
import { substituted } from "@/lib/faces/face"

test("a text without values, and values without their names in the text, change nothing", () => {
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.stringMatching(/^%[a-z]+%$/), fc.string()), (text, values) => {
      const left = text.replaceAll("%", "")
      expect(substituted(left, values, "/text")).toBe(left)
    }),
  )
})

test("each name is replaced once, and values are not looked at again", () => {
  const values = { "{{a}}": "{{b}}", "{{b}}": "$& {{a}}", "{{ab}}": "whole" }
  expect(substituted("{{a}}, {{b}}, {{ab}}, {{c}}", values, "/text")).toBe("{{b}}, $& {{a}}, whole, {{c}}")
  expect(substituted("name names", { name: "A", names: "B" }, "/text")).toBe("A B")
})

test("a text that becomes too long is refused where it is, before it does", () => {
  const bomb = () => substituted("a".repeat(1_000_000), { a: "b".repeat(1_000_000) }, "/html")
  expect(bomb).toThrow(/^\/html: With its values, it is longer/)
})
