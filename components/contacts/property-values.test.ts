import { describe, expect, test } from "vitest"
import { changesOf, ownValues, propertyAt } from "@/components/contacts/profile-card"

const declared = [
  { id: "cprop_1", key: "plan" },
  { id: "cprop_2", key: "seats" },
  { id: "cprop_3", key: "constructor" },
]
const contact = { properties: { plan: "free", seats: "1", hidden: "secret" }, ownProperties: ["plan", "hidden"] }

describe("the values of a contact's properties", () => {
  test("are its own, one that equals the fallback too, and never a fallback", () => {
    expect(ownValues(contact, declared)).toEqual({ cprop_1: "free", cprop_2: "", cprop_3: "" })
  })

  test("are sent as far as they were changed, and null where they were emptied", () => {
    const before = ownValues(contact, declared)
    expect(changesOf(before, before, declared)).toEqual({})
    const changed = changesOf(before, { ...before, cprop_1: "", cprop_3: "Bern" }, declared)
    expect(Object.entries(changed)).toEqual([
      ["plan", null],
      ["constructor", "Bern"],
    ])
  })

  test("are found by the pointer of a refusal", () => {
    expect(propertyAt("/propertyChanges/seats", declared)).toBe("cprop_2")
    expect(propertyAt("/unsubscribed", declared)).toBe("/unsubscribed")
  })
})
