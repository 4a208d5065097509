import fc from "fast-check"
import { expect, test } from "vitest"
import { csvLine, plainCell } from "@/lib/platform/csv-rules"

test("quotes, commas and line breaks stay inside their cell", () => {
  expect(csvLine(["a", 'say "hi", you', "two\nlines", ""])).toBe('"a","say ""hi"", you","two\nlines",""\r\n')
})

test("no cell begins as a formula, whatever it contains", () => {
  for (const text of ['=HYPERLINK("http://evil")', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1"]) {
    expect(csvLine([text]).slice(1, 2)).toBe("'")
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(csvLine([text])).not.toMatch(/^"\s*[=+\-@]/)
    }),
  )
})

test("what was written as a cell is read as the same text, apostrophes and all", () => {
  const written = (text: string) => csvLine([text]).slice(1, -3).replaceAll('""', '"')
  for (const text of ["+49 30 1", "-5", "'=1", "''=1", "'", "' =1", "O'Hara", "'tis", "\t=1", "=", ""]) {
    expect(plainCell(written(text))).toBe(text)
  }
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."'' \t\r\n=+-@x"), maxLength: 6 })),
      (text) => {
        expect(plainCell(written(text))).toBe(text)
      },
    ),
  )
})
