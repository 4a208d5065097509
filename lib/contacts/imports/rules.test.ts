import { Readable } from "node:stream"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { CsvBroken, csvRows } from "@/lib/contacts/imports/rows"
import { delimiterOf, guessTargets, mappedTargets, mappingFaults, readRow } from "@/lib/contacts/imports/rules"
import { csvLine } from "@/lib/platform/csv"

const declared = new Map([
  ["plan", { type: "string" as const }],
  ["seats", { type: "number" as const }],
])

describe("the columns of a file", () => {
  test("find their fields and properties by the names that people give them", () => {
    expect(guessTargets(["E-Mail Address", "First name", "surname", "Mobile", "Opt-out", "Plan", "SEATS", "Notes"], declared)).toEqual([
      "email", "firstName", "lastName", "phone", "unsubscribed", "properties.plan", "properties.seats", null,
    ])
  })

  test("go nowhere when an earlier one has their place, or the mapping does not name them", () => {
    expect(guessTargets(["email", "mail"], declared)).toEqual(["email", null])
    expect(mappedTargets(["a", "b", "a"], { a: "email" })).toEqual(["email", null, null])
  })

  test("are told by name when they are mapped wrongly", () => {
    const faults = mappingFaults(["a", "b", "c", "d"], { a: "email", b: "email", c: "age", d: "properties.age", e: "phone", __proto__x: null }, declared)
    expect(faults.map(({ column }) => column)).toEqual(["b", "c", "d", "e", "__proto__x"])
  })
})

describe("a row", () => {
  const header = ["email", "first", "seats", "off"]
  const read = (...cells: string[]) => readRow(cells, { header, targets: ["email", "firstName", "properties.seats", "unsubscribed"], declared })

  test("is read with its numbers as the API takes them", () => {
    expect(read(" Ada@LOVELACE.example ", " Ada ", "+007.50", "YES")).toEqual({
      draft: { email: "ada@lovelace.example", firstName: "Ada", unsubscribed: true, properties: { seats: "7.50" } },
    })
  })

  test("leaves alone what it leaves empty, and what its end is missing", () => {
    expect(read("ada@lovelace.example", "")).toEqual({ draft: { email: "ada@lovelace.example", unsubscribed: false, properties: {} } })
  })

  test("tells all its faults at once, each with its column", () => {
    const refused = read("ada", "x".repeat(201), "many", "perhaps")
    expect("faults" in refused && refused.faults.map(({ column }) => column)).toEqual(header)
    expect(read("Ada <ada@lovelace.example>")).toMatchObject({ faults: [{ column: "email" }] })
    expect(read("ada@lovelace.example", "A\u0000da")).toMatchObject({ faults: [{ column: "first" }] })
    expect(read("ada@lovelace.example", "Jos\uFFFD")).toMatchObject({ faults: [{ detail: "Is not UTF-8." }] })
  })
})

describe("a file", () => {
  const rowsOf = async (text: string, delimiter = ",") => {
    const rows = []
    for await (const row of csvRows(Readable.from([Buffer.from(text)]), delimiter)) rows.push(row)
    return rows
  }

  test("comes back cell by cell, whatever stands in the cells", async () => {
    const cell = fc.string({ unit: "grapheme" }).filter((text) => !/^\s*[=+\-@]/.test(text) && !/\r|\u0000/.test(text))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), async (rows) => {
        const text = rows.map((cells) => csvLine(cells)).join("")
        const kept = rows.filter((cells) => !cells.every((one) => one === ""))
        const found = (await rowsOf(text)).map(({ cells }) => cells).filter((cells) => !cells.every((one) => one === ""))
        expect(found).toEqual(kept.map((cells) => cells.map((one) => one.replace(/^\t/, "'\t"))))
      }),
      { numRuns: 100 },
    )
  })

  test("says where each row begins and how far it has been read", async () => {
    const text = '\uFEFFemail,note\r\na@x.test,"two\nlines"\n\nb@x.test,\n'
    expect(await rowsOf(text)).toEqual([
      { cells: ["email", "note"], line: 1, bytes: expect.any(Number) },
      { cells: ["a@x.test", "two\nlines"], line: 2, bytes: expect.any(Number) },
      { cells: ["b@x.test", ""], line: 4, bytes: Buffer.byteLength(text) },
    ])
  })

  test("is parted by what its first line uses most outside quotes", () => {
    expect(["a,b;c,d", "a;b;c", "a\tb", '"a,b,c";d', "email"].map(delimiterOf)).toEqual([",", ";", "\t", ";", ","])
  })

  test("with a cell or row that never ends is told by line and read no further", async () => {
    await expect(rowsOf('email\na@x.test\n"b@x.test\n')).rejects.toThrow(/line 3.*never ends/)
    await expect(rowsOf(`email\na@x.test\n${"x".repeat(300_000)}\n`)).rejects.toThrow(CsvBroken)
  })
})
