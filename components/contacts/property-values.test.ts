import { describe, expect, test } from "vitest"
import { changesOf, ownValues } from "@/components/contacts/property-values"

const declared = [{ key: "plan" }, { key: "seats" }, { key: "town" }]
const contact = { properties: { plan: "free", seats: "1", hidden: "kept" }, ownProperties: ["plan", "hidden"] }

describe("the values of a contact's properties", () => {
  test("are its own, one that equals the fallback too, and never a fallback", () => {
    expect(ownValues(contact, declared)).toEqual({
      "propertyChanges.plan": "free",
      "propertyChanges.seats": "",
      "propertyChanges.town": "",
    })
  })

  test("are sent as far as they were changed, and null where they were emptied", () => {
    const before = ownValues(contact, declared)
    expect(changesOf(before, before)).toEqual({})
    expect(changesOf(before, { ...before, "propertyChanges.plan": "", "propertyChanges.town": "Bern" })).toEqual({
      plan: null,
      town: "Bern",
    })
  })
})
