import fc from "fast-check"
import { expect, test } from "vitest"
import { piecesOf, wordsOf } from "@/lib/emails/search/fold-rules"

const marked = (text: string, search: string) =>
  piecesOf(text, wordsOf(search))
    .map(({ text: piece, found }) => (found ? `[${piece}]` : piece))
    .join("")

test("what matches is marked as it was written, each time", () => {
  expect(marked("Novák <novak.eva@brennbach.example>", "novak")).toBe("[Novák] <[novak].eva@brennbach.example>")
  expect(marked("Order 8841", "88 order")).toBe("[Order] [88]41")
  expect(marked("anana", "ana")).toBe("[anana]")
  expect(marked("🚀 ﬁne", "fi 🚀")).toBe("[🚀] [ﬁ]ne")
  expect(marked("nothing", "")).toBe("nothing")
})

test("the pieces of any text are the text", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }))
  fc.assert(
    fc.property(text, text, (given, search) => {
      expect(
        piecesOf(given, wordsOf(search))
          .map((piece) => piece.text)
          .join(""),
      ).toBe(given)
    }),
  )
})
