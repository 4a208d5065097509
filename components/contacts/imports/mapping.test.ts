import { describe, expect, test } from "vitest"
import {
  firstTargets,
  isNew,
  propertyFor,
  readingsOf,
  rememberedTargets,
  unmappedColumns,
} from "@/components/contacts/imports/mapping"

const declared = new Map([
  ["plan", { type: "string" as const }],
  ["revenue", { type: "number" as const }],
])
const head = {
  header: ["Kontakt", "Umsatz EUR", "Umsatz", "Seit"],
  rows: [
    ["a@x.test", "6489,61", "1", "03/04/2026"],
    ["b@x.test", "12", "x", "05/06/2026"],
  ],
  delimiter: ";",
}
const columnsOf = (...targets: (string | null)[]) => ({
  columns: head.header.map((name, at) => ({ name, target: targets[at] ?? null })),
})

describe("the mapping of a file", () => {
  test("is that of the newest import with the same columns, without properties that are gone", () => {
    const imports = [
      { columns: [{ name: "Kontakt", target: "email" }] },
      columnsOf("email", "properties.revenue", "properties.deleted"),
      columnsOf("email", "phone"),
    ]
    const remembered = ["email", "properties.revenue", null, null]
    expect(rememberedTargets(head.header, imports, declared)).toEqual(remembered)
    expect(rememberedTargets([...head.header, "reason"], imports, declared)).toEqual([...remembered, null])
    expect(rememberedTargets(["Kontakt", "Neu"], imports, declared)).toBeNull()
    expect(firstTargets(head, declared, imports)).toEqual({ targets: remembered, isRemembered: true })
    expect(firstTargets(head, declared, [])).toEqual({ targets: ["email", null, null, null], isRemembered: false })
  })

  test("takes new properties, each with a key of its own and the type of its values", () => {
    const choices = ["email", null, null, null] as const
    expect(unmappedColumns(head, choices)).toEqual([1, 2, 3])
    const first = propertyFor(head, 1, choices, declared)
    expect(first).toEqual({ key: "umsatz_eur", type: "number" })
    expect(isNew(first)).toBe(true)
    expect(propertyFor(head, 1, ["email", null, first, null], declared).key).toBe("umsatz_eur_2")
    expect(propertyFor({ ...head, header: ["", "Plan"] }, 1, choices, declared).key).toBe("plan_2")
  })

  test("shows what is read in another way, what is not read, and which date could be two", () => {
    const choices = [
      "email",
      "properties.revenue",
      { key: "visits", type: "number" },
      { key: "since", type: "date" },
    ] as const
    expect(readingsOf(head, choices, declared, "month_first")).toEqual([
      null,
      { example: { from: "6489,61", to: "6489.61" }, rejected: 0, values: 2, openDate: null },
      { example: null, rejected: 1, values: 2, openDate: null },
      { example: { from: "03/04/2026", to: "2026-03-04" }, rejected: 0, values: 2, openDate: "03/04/2026" },
    ])
  })
})
