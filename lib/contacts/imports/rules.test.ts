import { describe, expect, test } from "vitest"
import { addToGroups, type FaultGroup, faultGroupsMax, keptCells, layRows, readRow } from "@/lib/contacts/imports/rules"

const declared = new Map([
  ["plan", { type: "string" as const }],
  ["seats", { type: "number" as const }],
])

describe("a row", () => {
  const header = ["email", "first", "seats", "off"]
  const read = (...cells: string[]) =>
    readRow(cells, { header, targets: ["email", "firstName", "properties.seats", "unsubscribed"], declared })

  test("is read with its numbers as the API takes them", () => {
    expect(read(" Ada@LOVELACE.example ", "Ada", "+007.50", "YES")).toEqual({
      draft: { email: "ada@lovelace.example", firstName: "Ada", unsubscribed: true, properties: { seats: "7.50" } },
    })
  })

  test.each([
    ["wahr WAHR Ja j vrai oui VERDADERO sí Si vero sì waar verdadeiro sim doğru DOĞRU evet true YES y 1", true],
    ["falsch Nein n faux NON falso no onwaar nee não NAO yanlış YANLIŞ hayır HAYIR false No n 0", false],
  ])("is read with yes and no as spreadsheets of its language write them: %s", (words, unsubscribed) => {
    for (const word of words.split(" "))
      expect([word, read("a@x.test", "", "", ` ${word}`)]).toMatchObject([word, { draft: { unsubscribed } }])
  })

  test("is not read with a word that is neither", () => {
    for (const word of ["perhaps", "-1", "2", "yesno", "x"])
      expect(read("a@x.test", "", "", word)).toMatchObject({ faults: [{ column: "off" }] })
  })

  test("is read by the format that was decided for its column, else by what its file most likely has", () => {
    const seats = (delimiter: string, cell: string, decimal?: "comma" | "point") =>
      readRow(["a@x.test", cell], {
        ...{ header: ["email", "seats"], targets: ["email", "properties.seats"], declared, delimiter },
        formats: [null, decimal ? { decimal, assumed: false } : null],
      })
    expect(seats(",", "1.234", "comma")).toMatchObject({ draft: { properties: { seats: "1234" } } })
    expect(seats(";", "1.234", "point")).toMatchObject({ draft: { properties: { seats: "1.234" } } })
    expect(seats(";", "1.234")).toMatchObject({ draft: { properties: { seats: "1234" } } })
    expect(seats(",", "1.234")).toMatchObject({ draft: { properties: { seats: "1.234" } } })
    expect(seats(",", "12.34,5")).toEqual({
      faults: [{ column: "seats", code: "not_of_type", facts: { type: "number" }, value: "12.34,5" }],
    })
  })

  test("removes the apostrophe that keeps a spreadsheet from running a cell", () => {
    expect(read("'=1+1@lovelace.example", "'=HYPERLINK()", "'-5", "")).toEqual({
      draft: {
        email: "=1+1@lovelace.example",
        firstName: "=HYPERLINK()",
        unsubscribed: false,
        properties: { seats: "-5" },
      },
    })
    expect(read("ada@lovelace.example", "'Abd")).toMatchObject({ draft: { firstName: "'Abd" } })
  })

  test("keeps the line breaks and spaces of a property, and refuses them in a name", () => {
    const readPlan = (plan: string) =>
      readRow(["ada@x.test", plan], { header: ["email", "plan"], targets: ["email", "properties.plan"], declared })
    expect(readPlan(" two\r\nlines\t")).toMatchObject({ draft: { properties: { plan: " two\r\nlines\t" } } })
    expect(readPlan("NUL\u0000")).toMatchObject({ faults: [{ column: "plan" }] })
    expect(read("ada@lovelace.example", "two\nlines")).toMatchObject({ faults: [{ column: "first" }] })
  })

  test("leaves alone what it leaves empty, and what its end is missing", () => {
    expect(read("ada@lovelace.example", "")).toEqual({
      draft: { email: "ada@lovelace.example", unsubscribed: false, properties: {} },
    })
  })

  test("tells all its faults at once, each with its column", () => {
    const refused = read("ada", "x".repeat(201), "many", "perhaps")
    expect("faults" in refused && refused.faults.map(({ column }) => column)).toEqual(header)
    expect(read("Ada <ada@lovelace.example>")).toMatchObject({ faults: [{ column: "email" }] })
    expect(read("ada@lovelace.example", "A\u0000da")).toMatchObject({ faults: [{ column: "first" }] })
    expect(read("ada@lovelace.example", "Jos\uFFFD")).toMatchObject({
      faults: [{ code: "not_utf8" }],
    })
  })
})

describe("rows of one address", () => {
  const row = (line: number, properties: Record<string, string>, more = {}) => ({
    line,
    cells: [`row ${line}`],
    draft: { email: "a@x.test", unsubscribed: false, properties, ...more },
  })
  const long = "x".repeat(20_000)

  test("are laid one over the other, and an unsubscribe among them stays", () => {
    const rows = [row(2, { a: "1", b: "1" }, { unsubscribed: true, firstName: "A" }), row(3, { b: "2" })]
    expect(layRows(rows, {})).toEqual({
      draft: { email: "a@x.test", firstName: "A", unsubscribed: true, properties: { a: "1", b: "2" } },
      taken: 2,
      refused: [],
    })
  })

  test("are refused one by one when they would take the properties over 50 KB", () => {
    const rows = [
      row(2, { a: long }),
      row(3, { b: long }, { firstName: "B" }),
      row(4, { a: "short" }),
      row(5, { b: long }),
    ]
    const { draft, taken, refused } = layRows(rows, { kept: long })
    expect({ taken, refused: refused.map(({ line }) => line), firstName: draft?.firstName }).toEqual({
      taken: 3,
      refused: [3],
      firstName: undefined,
    })
    expect(draft?.properties).toEqual({ a: "short", b: long })
    expect(layRows([row(2, { a: long })], { kept: long, more: long })).toMatchObject({ draft: null, taken: 0 })
    expect(layRows([row(2, {}, { firstName: "A" })], { kept: long, more: long, most: long })).toMatchObject({
      taken: 1,
      refused: [],
    })
  })
})

describe("rejected rows", () => {
  const fault = (column: string, value: string) =>
    ({ code: "not_of_type", facts: { type: "number" }, column, value }) as const
  const row = (...faults: ReturnType<typeof fault>[]) => ({ line: 2, cells: [], faults })

  test("are counted by column and reason over any number of batches, with the first three values", () => {
    const batches = [
      [row(fault("Age", "old"), fault("Seats", ""))],
      [row(fault("Age", "old")), row(fault("Age", "young"))],
      ["a", "b", "c"].map((value) => row(fault("Age", value))),
    ]
    const stored = { detail: "not_of_type", facts: { type: "number" } }
    const groups = batches.reduce<FaultGroup[]>((sum, batch) => addToGroups(sum, batch), [])
    expect(groups).toEqual([
      { ...stored, column: "Age", rows: 6, examples: ["old", "young", "a"] },
      { ...stored, column: "Seats", rows: 1, examples: [] },
    ])
  })

  test("have a limited number of groups, and those that exist are still counted", () => {
    const many = Array.from({ length: faultGroupsMax + 50 }, (_, at) => row(fault(`c${at}`, "x")))
    const groups = addToGroups(addToGroups([], many), [row(fault("c0", "x"))])
    expect({ groups: groups.length, first: groups[0]?.rows }).toEqual({ groups: faultGroupsMax, first: 2 })
  })

  test("keep their cells up to 16,384 characters", () => {
    expect(keptCells(["a", "x\0", "\ud800"])).toEqual(["a", "x\ufffd", "\ufffd"])
    const kept = keptCells(["x".repeat(16_000), "y".repeat(16_000), "z"])
    expect(kept.map(({ length }) => length)).toEqual([16_000, 384, 0])
  })
})
