import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { delimiterOf, guessTargets, mappedTargets, mappingFaults } from "@/lib/contacts/imports/file-rules"

const declared = new Map([
  ["plan", { type: "string" as const }],
  ["seats", { type: "number" as const }],
])

describe("the columns of a file", () => {
  test("find their fields and properties by the names that people give them", () => {
    expect(
      guessTargets(
        ["E-Mail Address", "First name", "surname", "Mobile", "Opt-out", "Plan", "SEATS", "Notes"],
        declared,
      ),
    ).toEqual(["email", "firstName", "lastName", "phone", "unsubscribed", "properties.plan", "properties.seats", null])
  })

  test("are known in moments where a name is nothing but accents", measured, () => {
    const many = new Map(Array.from({ length: 50 }, (_, at) => [`key_${at}`, { type: "string" as const }]))
    const before = process.cpuUsage()
    expect(guessTargets([`a${"\u0300\u0323".repeat(16_000)}`, "Email"], many)).toEqual([null, "email"])
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(200)
  })

  test("find them in the languages of their users, with accents and without", () => {
    const email = ["E-Mail-Adresse", "Courriel", "Correo electrónico", "E-posta"]
    const first = ["Vorname", "Prénom", "Nombre", "Adı"]
    const last = ["Nachname", "Nom", "Apellidos", "Soyadı"]
    for (const [at, name] of email.entries())
      expect(guessTargets([name, first[at] ?? "", last[at] ?? "", "Stadt"], declared)).toEqual([
        ...["email", "firstName", "lastName"],
        null,
      ])
  })

  test("called email win over one called address, and the one with addresses over any name", () => {
    expect(guessTargets(["Address", "Name", "E-Mail"], declared)).toEqual([null, null, "email"])
    expect(guessTargets(["Address", "E-Mail-Adr."], declared)).toEqual([null, "email"])
    expect(guessTargets(["Address"], declared)).toEqual(["email"])
    const rows = [
      ["Main St 1", "a@x.test", "a@x.test"],
      ["", "", ""],
      ["Main St 2", "b@x.example", "see above"],
    ]
    expect(guessTargets(["Address", "Kontakt", "Notiz"], declared, rows)).toEqual([null, "email", null])
    expect(guessTargets(["Address", "Kontakt", "E-mail 1 - Value"], declared, rows)).toEqual([null, null, "email"])
    const both = rows.map(([street = "", own = ""]) => [street, own, own])
    expect(guessTargets(["Straße", "Kunde", "Betreuer"], declared, both)).toEqual([null, null, null])
  })

  test("with addresses are the address whatever they are called, though a few of their values are none", () => {
    const rows = Array.from({ length: 10 }, (_, at) => [at % 5 ? `c${at}@x.test` : "nobody", at % 2 ? "ja" : "nein"])
    expect(guessTargets(["Kontakt", "E-Mail"], declared, rows)).toEqual(["email", null])
    expect(guessTargets(["Kontakt", "email"], declared, rows)).toEqual(["email", null])
    const empty = rows.map(([, word = ""]) => ["", word])
    expect(guessTargets(["E-Mail", "Newsletter"], declared, empty)).toEqual(["email", null])
  })

  test("called name hold last names beside first names alone", () => {
    expect(guessTargets(["Vorname", "Name", "Mail"], declared)).toEqual(["firstName", "lastName", "email"])
    expect(guessTargets(["Prénom", "Nom", "E-mail"], declared)).toEqual(["firstName", "lastName", "email"])
    expect(guessTargets(["Name", "Mail"], declared)).toEqual([null, "email"])
  })

  test("keep their names when these are broken into lines", () => {
    const header = ["E-Mail Adresse", "Plan"]
    expect(mappingFaults(header, { "E-Mail\nAdresse": "email" }, declared)).toEqual([])
    expect(mappedTargets(header, { "E-Mail\r\nAdresse": "email" })).toEqual(["email", null])
  })

  test("go nowhere when an earlier one has their place, or the mapping does not name them", () => {
    expect(guessTargets(["email", "mail"], declared)).toEqual(["email", null])
    expect(mappedTargets(["a", "b"], { a: "email" })).toEqual(["email", null])
  })

  test("of an export find the way back, even when a property is called like a field or like another property", () => {
    const keys = ["email", "phone", "mail", "address", "id", "segments", "PLAN", "plan_", "plan"]
    const header = [
      "email",
      "firstName",
      "lastName",
      "phone",
      "unsubscribed",
      ...keys,
      "segments",
      "createdAt",
      "updatedAt",
      "id",
    ]
    const properties = new Map(keys.map((key) => [key, { type: "string" as const }]))
    expect(guessTargets(header, properties)).toEqual([
      "email",
      "firstName",
      "lastName",
      "phone",
      "unsubscribed",
      ...keys.map((key) => `properties.${key}`),
      null,
      null,
      null,
      null,
    ])
    expect(guessTargets(["address", "plan"], properties)).toEqual(["email", "properties.plan"])
  })

  test("of the same name are told apart by a list, and refused by name where a mapping by names cannot mean one of them", () => {
    const header = ["email", "note", "note"]
    expect(mappingFaults(header, ["email", null, "properties.plan"], declared)).toEqual([])
    expect(mappedTargets(header, ["email", null, "properties.plan"])).toEqual(["email", null, "properties.plan"])
    expect(mappingFaults(header, { email: "email", note: null }, declared)).toEqual([])
    expect(mappingFaults(header, { email: "email", note: "properties.plan" }, declared)).toEqual([
      { column: "note", detail: expect.stringContaining('Several columns are called "note"') },
    ])
    expect(mappingFaults(header, ["email", "email", "age"], declared).map(({ column }) => column)).toEqual(["1", "2"])
    expect(mappingFaults(header, ["email"], declared)).toEqual([
      { column: null, detail: expect.stringContaining("3 columns") },
    ])
  })

  test("are told by name when they are mapped wrongly", () => {
    const faults = mappingFaults(
      ["a", "b", "c", "d"],
      { a: "email", b: "email", c: "age", d: "properties.age", e: "phone", __proto__x: null },
      declared,
    )
    expect(faults.map(({ column }) => column)).toEqual(["b", "c", "d", "e", "__proto__x"])
  })

  test.each<[string, string, string]>([
    ["a line that names it", "sep=|\r\nemail;a|name\r\n", "|"],
    ["that line in quotes, after a mark", '\uFEFF"SEP=;"\na,b,c;d\n', ";"],
    ["blank first lines", "\r\n\r\n  \r\nemail;name\r\na@x.test;A, B, C\r\n", ";"],
    ["rows of delimiters first", ";;\nemail;name;city\na@x.test;A;B\n", ";"],
    ["a line break in the header", '"E-Mail\nAdresse, privat";Name;Ort\na@x.test;A;B\n', ";"],
    ["a comma in a name of the header", "Name, Vorname;E-Mail\nLovelace;ada@x.test\n", ";"],
    [
      "a comma in that name and in every row",
      "Name, Vorname;E-Mail\nLovelace, Ada;ada@x.test\nHopper, Grace;grace@x.test\n",
      ";",
    ],
    ["the same by the values alone", "Name, Vorname;Kontakt\nLovelace, Ada;ada@x.test\n", ";"],
    ["only the header", "Name, Vorname;E-Mail", ";"],
    ["semicolons in the notes", "email,notes\na@x.test,a;b;c\nb@x.test,d;e\n", ","],
    ["a header with more semicolons than rows have", "email,a;b;c;d,city\na@x.test,1,B\nb@x.test,2,B\n", ","],
    ["commas in every quoted cell", 'email;name\n"a@x.test";"A, B"\n"b@x.test";"C, ""D"", E"\n', ";"],
    ["tabs", "email\tname, first\na@x.test\tA, B\n", "\t"],
    ["one column", "email\na@x.test\nb@x.test\n", ","],
  ])("are parted by what parts most rows: %s", (_, text, delimiter) => {
    expect(delimiterOf(text)).toBe(delimiter)
  })

  test("are found in moments in whatever a file begins with", measured, () => {
    const startedAt = performance.now()
    for (const text of [
      '"'.repeat(65_536),
      '";'.repeat(32_768),
      "sep=".repeat(16_384),
      " ".repeat(65_536),
      ",".repeat(65_536),
    ])
      expect(delimiterOf(text)).toHaveLength(1)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test("are parted by what the first line uses most outside quotes", () => {
    expect(["a,b;c,d", "a;b;c", "a\tb", '"a,b,c";d', "email"].map(delimiterOf)).toEqual([",", ";", "\t", ";", ","])
  })
})
