import { expect, test, vi } from "vitest"
import { dateWords } from "@/components/ui/time-words"

const at = "2026-11-25T09:05:03Z"
const utc = { timeZone: "UTC" } as const

test("a date is written in British English, a time with 24 hours", () => {
  expect(dateWords(at, { ...utc, weekday: "short", day: "numeric", month: "long" })).toBe("Wed 25 November")
  expect(dateWords(at, { ...utc, timeStyle: "medium" })).toBe("09:05:03")
})

test("the same options make a format once", () => {
  const made: unknown[] = []
  class Recorded extends Intl.DateTimeFormat {
    constructor(...given: ConstructorParameters<typeof Intl.DateTimeFormat>) {
      super(...given)
      made.push(given)
    }
  }
  vi.stubGlobal("Intl", { DateTimeFormat: Recorded })
  const options = { ...utc, year: "2-digit" } as const
  expect(dateWords(at, options)).toBe("26")
  expect(dateWords(Date.parse(at), { ...options })).toBe("26")
  expect(made).toEqual([["en-GB", options]])
  vi.unstubAllGlobals()
})

test("what is no date is said to be none, and breaks no page", () => {
  expect(dateWords("yesterday", utc)).toBe("Invalid Date")
})
