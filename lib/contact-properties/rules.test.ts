import fc from "fast-check"
import { expect, test } from "vitest"
import { valueFault } from "@/lib/contact-properties/rules"

test("a number is decimal text that stays finite, and nothing else", () => {
  for (const good of ["0", "-1", "42", "3.14", "1e3", "-2.5E-4"]) expect(valueFault("number", good), good).toBe(null)
  for (const bad of [
    "",
    " 1",
    "1 ",
    "+1",
    "01",
    "1.",
    ".5",
    "1e999",
    "NaN",
    "Infinity",
    "0x10",
    "1,5",
    "१",
    "1\n",
    "'1'",
  ]) {
    expect(valueFault("number", bad), bad).toEqual(expect.any(String))
  }
})

test("any text up to 10,000 characters is a string", () => {
  for (const good of ["", "=HYPERLINK(1)", "<img src=x onerror=alert(1)>", "\u202Eevil", "x".repeat(10_000)]) {
    expect(valueFault("string", good)).toBeNull()
  }
  expect(valueFault("string", "x".repeat(10_001))).toMatch(/at most/)
})

test("a value that is yes or no is stored as true or false, and nothing else is taken", () => {
  for (const good of ["true", "false"]) expect(valueFault("boolean", good), good).toBeNull()
  for (const bad of ["", "TRUE", "yes", "1", "true "]) expect(valueFault("boolean", bad), bad).toMatch(/true or false/)
})

test("a date is a day of the calendar in the format of ISO 8601, and nothing else", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
      expect(valueFault("date", date.toISOString().slice(0, 10))).toBeNull()
    }),
  )
  const bad = [
    "",
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "2026-3-1",
    "31.03.2026",
    "2026-03-31T00:00:00Z",
    "20260331",
  ]
  for (const text of bad) expect(valueFault("date", text), text).toMatch(/^Must be a date/)
})
