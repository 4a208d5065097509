import { expect, test } from "vitest"
import { faultDetail, type RowFault, rowFaultSentence, storedFault } from "@/lib/contacts/imports/failure"

const faults: Record<RowFault["code"], RowFault> = {
  address: { code: "address", facts: { fault: "no_at" } },
  not_of_type: { code: "not_of_type", facts: { type: "date" } },
  too_long: { code: "too_long", facts: { charsMax: 100 } },
  not_utf8: { code: "not_utf8", facts: {} },
  null_character: { code: "null_character", facts: {} },
  control_characters: { code: "control_characters", facts: {} },
  property_deleted: { code: "property_deleted", facts: {} },
  properties_too_large: { code: "properties_too_large", facts: { bytesMax: 51_200 } },
  all_properties_too_large: { code: "all_properties_too_large", facts: { bytesMax: 51_200 } },
}

test.each(Object.values(faults))(
  "a rejection %j is stored without words, and has its sentence again when it is read",
  (fault) => {
    const stored = JSON.parse(JSON.stringify(storedFault({ ...fault, column: "Plan" })))
    expect(JSON.stringify(stored), "stored").not.toMatch(/\s/)
    expect(faultDetail(stored)).toBe(rowFaultSentence(fault))
    expect(rowFaultSentence(fault)).toMatch(/^[A-Z].{10,}\.$/)
  },
)

test("a rejection that an earlier release stored as a sentence is read as it is", () => {
  expect(faultDetail({ column: "Umsatz", detail: "Must be a number, such as 42." })).toBe(
    "Must be a number, such as 42.",
  )
})
