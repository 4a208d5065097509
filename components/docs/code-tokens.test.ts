import fc from "fast-check"
import { expect, test } from "vitest"
import { codeTokens } from "@/components/docs/samples"
import { type Sample, guides } from "@/lib/docs/guides"
import { referenceTags } from "@/lib/docs/reference"

const textOf = (code: string, lang: string) => codeTokens(code, lang).map(({ text }) => text)
const marked = (code: string, lang: string) =>
  codeTokens(code, lang).flatMap(({ kind, text }) => (kind ? [`${kind} ${text}`] : []))

test("the parts of a sample are its text, whatever it is", () => {
  const language = fc.constantFrom("sh", "ts", "json", "python", "php", "go", "text")
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab1'\"`\\$#/-{}[]: \n") }), language, (code, lang) => {
      expect(textOf(code, lang).join("")).toBe(code)
    }),
  )
})

test("every sample of guides and reference has marked parts, and stays what it is", () => {
  const ofGuides = [...guides().values()].flatMap(({ blocks }): Sample[] =>
    blocks.flatMap((block) => (block.kind === "code" ? [block] : block.kind === "tabs" ? block.samples : [])),
  )
  const ofReference = referenceTags().flatMap(({ entries }) => entries.flatMap(({ samples }) => samples))
  for (const { lang, code } of [...ofGuides.filter((sample) => sample.lang !== ""), ...ofReference]) {
    expect(textOf(code, lang).join("")).toBe(code)
    expect(marked(code, lang).length, code).toBeGreaterThan(0)
  }
})

test("the JSON that curl sends is marked as JSON, with a variable in it as the string of the shell", () => {
  expect(marked(`curl -d '{\n  "to": ["'"$name"'@a.test"],\n  "size": 2\n}' # once`, "sh")).toEqual([
    "keyword curl",
    "name -d",
    'name "to"',
    'string "$name"',
    'name "size"',
    "number 2",
    "comment # once",
  ])
})

test("an address in a string is no comment, and a word in a string is no keyword", () => {
  expect(marked(`const url = "https://return.example/1" // here`, "ts")).toEqual([
    "keyword const",
    'string "https://return.example/1"',
    "comment // here",
  ])
})
