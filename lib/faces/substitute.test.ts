import fc from "fast-check"
import { expect, test } from "vitest"
import { substituted } from "@/lib/faces/substitute"

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

test("of names that begin at the same place the longest is replaced, and the text after it is read on from there", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c") })
  const values = fc.dictionary(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 }), text)
  fc.assert(
    fc.property(text, values, (given, all) => {
      const names = Object.keys(all).sort((a, b) => b.length - a.length)
      const expected =
        names.length > 0 ? given.replace(new RegExp(names.join("|"), "g"), (name) => all[name] ?? "") : given
      expect(substituted(given, all, "/text"), "the filled text").toBe(expected)
    }),
  )
})

test("more names than 10,000 characters are refused", () => {
  const names = Array.from({ length: 150 }, (_, at) => "b".repeat(at + 1))
  const many = () => substituted("a", Object.fromEntries(names.map((name) => [name, "x"])), "/subject")
  expect(many).toThrow("/subject: The names of its values have more than 10000 characters.")
})

test("a text that becomes too long is refused where it is, before it does", () => {
  const bomb = () => substituted("a".repeat(1_000_000), { a: "b".repeat(1_000_000) }, "/html")
  expect(bomb).toThrow(/^\/html: With its values, it is longer/)
})
