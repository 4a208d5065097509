import { describe, expect, test } from "vitest"
import { delimiterOf, guessTargets, mappedTargets, mappingFaults } from "@/lib/contacts/imports/column-rules"

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

  test("are parted by what the first line uses most outside quotes", () => {
    expect(["a,b;c,d", "a;b;c", "a\tb", '"a,b,c";d', "email"].map(delimiterOf)).toEqual([",", ";", "\t", ";", ","])
  })
})
