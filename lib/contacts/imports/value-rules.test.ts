import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { valueFault } from "@/lib/contact-properties/rules"
import {
  type ColumnFormat,
  createFormatScan,
  formatOtherwise,
  proposedKey,
  proposedType,
  readValue,
} from "@/lib/contacts/imports/value-rules"

const comma: ColumnFormat = { decimal: "comma", dates: "day_first" }
const point: ColumnFormat = { decimal: "point", dates: "month_first" }
const valueOf = (type: "number" | "boolean" | "date", text: string, format = comma) => {
  const read = readValue(type, text, format)
  return "value" in read ? read.value : null
}

describe("a number", () => {
  const cents = fc.integer({ min: -100_000_000, max: 100_000_000 })
  const styles = [
    ["de-DE", comma],
    ["en-US", point],
    ["fr-FR", comma],
    ["es-ES", comma],
    ["de-CH", point],
  ] as const

  test("is read as spreadsheets of every language write it", () => {
    fc.assert(
      fc.property(cents, fc.constantFrom(...styles), fc.boolean(), (amount, [language, format], useGrouping) => {
        const text = (amount / 100).toLocaleString(language, { minimumFractionDigits: 2, useGrouping })
        expect(Number(valueOf("number", text.replace("−", "-"), format)), text).toBeCloseTo(amount / 100, 5)
      }),
    )
  })

  test("that the API takes is read as it is, where a point is the decimal mark", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = String(number).replace("e+", "e")
        expect(valueOf("number", text, point)).toBe(text)
      }),
    )
  })

  test("is never read from other text, and what is read is one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[-+0-9., '€e]{0,12}$/), fc.constantFrom(comma, point), (text, format) => {
        const value = valueOf("number", text, format)
        if (value !== null) expect(valueFault("number", value)).toBeNull()
        if (!/\d/.test(text)) expect(value).toBeNull()
      }),
    )
  })

  test.each([
    ["6489,61", "6489.61"],
    ["6.489,61", "6489.61"],
    ["6,489.61", "6489.61"],
    ["1.234.567", "1234567"],
    ["1,234,567", "1234567"],
    ["1\u202f234,5", "1234.5"],
    ["1'234.50", "1234.50"],
    ["12,50 €", "12.50"],
    ["$1,200.00", "1200.00"],
    ["+007", "7"],
    [",5", "0.5"],
    ["0.125", "0.125"],
    ["1e3", "1e3"],
  ])("%s is %s whatever the column has", (text, value) => {
    for (const format of [comma, point]) expect(valueOf("number", text, format), text).toBe(value)
  })

  test("that could be two numbers is the one of its column", () => {
    expect([valueOf("number", "1.234", comma), valueOf("number", "1.234", point)]).toEqual(["1234", "1.234"])
    expect([valueOf("number", "6,489", comma), valueOf("number", "6,489", point)]).toEqual(["6.489", "6489"])
  })

  test("is not read from what only looks like one", () => {
    for (const text of ["12.34,5", "1,2.3", "1 2", "12.03.2026", "1.2.3", "€", "-", "1,", "12 Stück", "1e999", "١٢"])
      expect(valueOf("number", text), text).toBeNull()
  })
})

describe("yes or no", () => {
  test("is read in the languages in which columns are recognised", () => {
    for (const word of "wahr Ja vrai OUI sí Si vero waar sim evet true Yes 1".split(" "))
      expect(valueOf("boolean", ` ${word}`), word).toBe("true")
    for (const word of "falsch Nein faux non falso nee não hayır False NO 0".split(" "))
      expect(valueOf("boolean", word), word).toBe("false")
    for (const word of ["", "perhaps", "2", "yesno"]) expect(valueOf("boolean", word), word).toBeNull()
  })
})

describe("a date", () => {
  const days = fc
    .date({ min: new Date("1930-01-01"), max: new Date("2029-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const partsOf = (iso: string) => iso.split("-") as [string, string, string]

  test("is read in each of the common formats", () => {
    fc.assert(
      fc.property(days, (iso) => {
        const [year, month, day] = partsOf(iso)
        const dayFirst = [
          `${day}.${month}.${year}`,
          `${day}/${month}/${year}`,
          `${Number(day)}-${Number(month)}-${year}`,
        ]
        const either = [
          iso,
          `${iso}T23:59:59Z`,
          `${iso} 00:00`,
          `${year}/${month}/${day}`,
          `${day}.${month}.${year.slice(2)}`,
        ]
        for (const text of [...dayFirst, ...either]) expect(valueOf("date", text, comma), text).toBe(iso)
        for (const text of [`${month}/${day}/${year}`, `${Number(month)}/${Number(day)}/${year.slice(2)}`, ...either])
          expect(valueOf("date", text, point), text).toBe(iso)
      }),
    )
  })

  test("is read with the name of its month, long or short, in four languages", () => {
    fc.assert(
      fc.property(days, fc.constantFrom("en-GB", "en-US", "de-DE", "fr-FR", "es-ES"), (iso, language) => {
        const written = new Date(iso).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" })
        expect(valueOf("date", written), written).toBe(iso)
      }),
    )
    for (const text of [
      "31-Mar-2026",
      "31 mars 2026",
      "31. März 2026",
      "1er déc. 2026",
      "Dec 1st, 2026",
      "2 Sept 2026",
    ])
      expect(valueOf("date", text), text).toMatch(/^2026-/)
  })

  test("is never read from other text, and what is read is one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9./\-: ]{0,12}$/), fc.constantFrom(comma, point), (text, format) => {
        const value = valueOf("date", text, format)
        if (value !== null) expect(valueFault("date", value)).toBeNull()
      }),
    )
    for (const text of [
      "",
      "30.02.2026",
      "13.13.2026",
      "31/04/2026",
      "2026",
      "20260331",
      "12.03",
      "jui 2026",
      "3 foo 2026",
    ])
      expect(valueOf("date", text), text).toBeNull()
  })
})

describe("the format of a column", () => {
  const formatsOf = (type: "number" | "date", values: readonly string[], otherwise = formatOtherwise(",")) => {
    const scan = createFormatScan([type])
    for (const value of values) scan.add([value])
    return scan.formats(otherwise)[0]
  }

  test("is decided by the values that can only be read in one way, whatever comes first", () => {
    fc.assert(
      fc.property(fc.nat(20), (at) => {
        const open = Array.from({ length: 20 }, (_, index) => `0${(index % 9) + 1}/04/2026`)
        const dates = open.toSpliced(at, 0, "31/03/2026")
        expect(formatsOf("date", dates, formatOtherwise(",", "month_first"))).toEqual({
          dates: "day_first",
          assumed: false,
        })
        const numbers = open.map((_, index) => `${index + 1},234`).toSpliced(at, 0, "6489,61")
        expect(formatsOf("number", numbers)).toEqual({ decimal: "comma", assumed: false })
      }),
    )
  })

  test("is assumed where no value tells: by the delimiter, and by what was asked for", () => {
    expect(formatsOf("number", ["1.234"], formatOtherwise(";"))).toEqual({ decimal: "comma", assumed: true })
    expect(formatsOf("number", ["1,234"], formatOtherwise("\t"))).toEqual({ decimal: "point", assumed: true })
    expect(formatsOf("date", ["03/04/2026"])).toEqual({ dates: "day_first", assumed: true })
    expect(formatsOf("date", ["03/04/2026"], formatOtherwise(",", "month_first"))).toMatchObject({
      dates: "month_first",
    })
  })

  test("is not there where nothing is to be decided", () => {
    expect(formatsOf("number", ["1", "20", ""])).toBeNull()
    expect(formatsOf("date", ["2026-03-31", "31.03.2026"])).toBeNull()
    expect(createFormatScan(["string", null, "boolean"]).decided()).toBe(true)
  })
})

describe("a property for a column", () => {
  test.each([
    [["ja", "nein", "ja", ""], "boolean"],
    [["1", "0", "1"], "number"],
    [["6489,61", "12", "1.200,00"], "number"],
    [["31.03.2026", "01.04.2025"], "date"],
    [["04109", "10115"], "string"],
    [["+49 170 1234567"], "string"],
    [["Berlin", "Leipzig"], "string"],
    [["", ""], "string"],
    [[...Array.from({ length: 19 }, (_, at) => String(at)), "many"], "number"],
  ] as const)("of the values %j has the type %s", (values, type) => {
    expect(proposedType(values, formatOtherwise(";"))).toBe(type)
  })

  test("has a key by the name of the column that is valid and free", () => {
    expect(
      ["Umsatz EUR", "Newsletter?", "Größe (m²)", "Letzter Kauf", "?"].map((name) => proposedKey(name, () => false)),
    ).toEqual(["umsatz_eur", "newsletter", "grosse_m", "letzter_kauf", "column"])
    expect(proposedKey("Plan", (key) => key === "plan" || key === "plan_2")).toBe("plan_3")
    fc.assert(
      fc.property(fc.string(), (name) => void expect(proposedKey(name, () => false)).toMatch(/^[a-z0-9_]{1,50}$/)),
    )
  })
})

test("values of any length are read in moments", measured, () => {
  const startedAt = performance.now()
  for (const text of [
    "1".repeat(200_000),
    " ".repeat(200_000),
    "1.".repeat(100_000),
    "1,234".repeat(40_000),
    "a ".repeat(100_000),
    `a${"\u0300\u0323".repeat(100_000)}`,
  ])
    for (const type of ["number", "date", "boolean"] as const) {
      readValue(type, text, comma)
      createFormatScan([type]).add([text])
    }
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
