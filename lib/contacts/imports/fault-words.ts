import { type AddressFault, addressFaults } from "@/lib/addresses/address"
import type { PropertyType } from "@/lib/contact-properties/rules"

/** Why a cell or a row is rejected, as it is stored: a code with its facts. */
type RowFaultFacts = {
  address: { fault: AddressFault }
  not_of_type: { type: PropertyType }
  too_long: { charsMax: number }
  not_utf8: Record<string, never>
  null_character: Record<string, never>
  control_characters: Record<string, never>
  property_deleted: Record<string, never>
  /** All properties of the row. */
  properties_too_large: { bytesMax: number }
  /** These together with those that the contact has. */
  all_properties_too_large: { bytesMax: number }
}
type RowFaultCode = keyof RowFaultFacts
export type RowFault = { [C in RowFaultCode]: { code: C; facts: RowFaultFacts[C] } }[RowFaultCode]

export function rowFaultSentence(fault: RowFault): string {
  switch (fault.code) {
    case "address":
      return addressFaults[fault.facts.fault]
    case "not_of_type":
      return typeSentences[fault.facts.type]
    case "too_long":
      return `Must be at most ${fault.facts.charsMax} characters.`
    case "not_utf8":
      return "Contains a character that is not UTF-8. Save the file as UTF-8."
    case "null_character":
      return "Must not contain the character U+0000."
    case "control_characters":
      return "Must not contain control characters."
    case "property_deleted":
      return "This property has been deleted meanwhile."
    case "properties_too_large":
      return `The properties must be at most ${fault.facts.bytesMax} bytes of JSON.`
    case "all_properties_too_large":
      return `The properties, with those that the contact has, must be at most ${fault.facts.bytesMax} bytes of JSON.`
  }
}

const typeSentences: Record<PropertyType, string> = {
  string: "Must be text.",
  number: "Must be a number, such as 42 or -1.5.",
  boolean: "Must be yes or no, true or false, or 1 or 0.",
  date: "Must be a date, such as 2026-03-31 or 31.03.2026.",
}

/** As a fault is stored: `detail` is its code where there are facts, and in rows of earlier releases a sentence. */
export type StoredFault = { column: string; detail: string; facts?: RowFault["facts"] }

export function storedFault({ column, code, facts }: RowFault & { column: string }): StoredFault {
  return { column, detail: code, facts }
}

export function faultDetail({ detail, facts }: StoredFault): string {
  // `storedFault` alone writes facts.
  return facts ? rowFaultSentence({ code: detail, facts } as RowFault) : detail
}
