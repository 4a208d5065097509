import fc from "fast-check"
import { expect, test } from "vitest"
import {
  piecesOf,
  wordsOf,
  fold,
  searchWordsMax,
  gramsOf,
  gramsOfWords,
  idsLike,
  lineOf,
  hasWords,
} from "@/lib/emails/search/rules"
import { encodeId, newId } from "@/lib/platform/ids"

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

const project = "019ab000-0000-7000-8000-000000000001"
const text = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: "binary", maxLength: 40 }), fc.lorem())
const email = fc.record({
  fromHeader: text,
  toHeaders: fc.array(text, { maxLength: 3 }),
  ccHeaders: fc.array(text, { maxLength: 2 }),
  bccHeaders: fc.array(text, { maxLength: 2 }),
  subject: text,
  tags: fc.option(fc.dictionary(text, text, { maxKeys: 3 })),
})

test("whatever part of an email is searched, its hashes are among those of the email", () => {
  fc.assert(
    fc.property(email, fc.nat(), fc.integer({ min: 1, max: 12 }), (one, start, chars) => {
      const line = lineOf(one)
      const from = line.length ? start % line.length : 0
      const words = wordsOf(line.slice(from, from + chars))
      const held = new Set(gramsOf(project, [line]))
      expect(hasWords(line, words)).toBe(true)
      expect(gramsOfWords(project, words).filter((gram) => !held.has(gram))).toEqual([])
    }),
  )
})

test("any text is read as words without a fault: folded, each once, at most eight", () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: "binary", maxLength: 300 })), (search) => {
      const words = wordsOf(search)
      expect(words.length).toBeLessThanOrEqual(searchWordsMax)
      expect(new Set(words).size).toBe(words.length)
      for (const word of words) expect(word).toMatch(/^\S+$/u)
      expect(wordsOf(words.join(" "))).toEqual(words)
    }),
  )
})

test("case, accents and width make no difference", () => {
  expect(["Novák", "NOVAK", "ｎｏｖａｋ", "nova\u0301k"].map(fold)).toEqual(["novak", "novak", "novak", "novak"])
  expect(fold("ΟΔΟΣ")).toBe(fold("οδοσ"))
  expect(wordsOf("  Ann   invoice ANN ")).toEqual(["ann", "invoice"])
  expect(wordsOf("\u0301")).toEqual([])
})

test("a half of a character and a NUL are nothing that the database would refuse", () => {
  const line = lineOf({
    fromHeader: "a\0b \ud83d",
    toHeaders: ["ada@lovelace.example"],
    ccHeaders: [],
    bccHeaders: [],
    subject: "x".repeat(9_000),
    tags: null,
  })
  expect(line.isWellFormed()).toBe(true)
  expect(line).not.toContain("\0")
  expect(line.length).toBeLessThanOrEqual(4_000)
  expect(hasWords(line, wordsOf("\ud83d"))).toBe(false)
})

test("the same text has other hashes in another project", () => {
  const other = newId()
  const mine = new Set(gramsOf(project, ["your receipt"]))
  expect(gramsOf(other, ["your receipt"]).filter((gram) => mine.has(gram))).toEqual([])
})

test("an id is found by its beginning with its prefix, or whole without it; other text is none", () => {
  fc.assert(
    fc.property(fc.uuid({ version: 7 }), fc.integer({ min: 12, max: 32 }), (uuid, chars) => {
      const id = encodeId("email", uuid)
      const range = idsLike(` ${id.slice(0, chars).toUpperCase()} `)
      expect(range && range.first <= uuid && uuid <= range.last).toBe(true)
      expect(idsLike(id.slice("email_".length))).toEqual({ first: uuid, last: uuid })
    }),
  )
  for (const none of [
    "",
    "novak",
    "email_",
    "email_lilou",
    "email_8zzzzzzz",
    "0123456789",
    "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
  ])
    expect(idsLike(none)).toBeNull()
})
