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
