import fc from "fast-check"
import { expect, test } from "vitest"
import { csvLine } from "@/lib/platform/csv"

test("quotes, commas and line breaks stay inside their cell", () => {
  expect(csvLine(["a", 'say "hi", you', "two\nlines", ""])).toBe('"a","say ""hi"", you","two\nlines",""\r\n')
})

test("no cell begins as a formula, whatever stands in it", () => {
  for (const text of ['=HYPERLINK("http://evil")', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1"]) {
    expect(csvLine([text]).slice(1, 2)).toBe("'")
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(csvLine([text])).not.toMatch(/^"\s*[=+\-@]/)
    }),
  )
})
