import { type AddressFault, addressFaults } from "@/lib/addresses/address"
import type { PropertyType } from "@/lib/contact-properties/rules"
import { formatNumber } from "@/lib/platform/format"

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

/** Why an import failed, as it is stored: a code with its facts. */
type FailureFacts = {
  file_missing: Record<string, never>
  /** Its worker failed so often after this row without another batch. */
  no_progress: { row: number; attempts: number }
  /** A quoted cell that begins near this line never ends. */
  quote_not_closed: { line: number }
  row_too_long: { line: number; charsMax: number }
  /** The sentence that a release before the codes stored. */
  recorded: { text: string }
}
type FailureCode = keyof FailureFacts
export type ImportFailure = { [C in FailureCode]: { code: C; facts: FailureFacts[C] } }[FailureCode]

export function failureSentence(failure: ImportFailure): string {
  switch (failure.code) {
    case "file_missing":
      return "The file is missing."
    case "no_progress": {
      const { row, attempts } = failure.facts
      return `The import stopped after row ${formatNumber(row)} and made no progress in ${attempts} attempts. The log of the worker has the cause.`
    }
    case "quote_not_closed":
      return `Near line ${failure.facts.line} the file is no CSV: a quoted cell never ends.`
    case "row_too_long": {
      const { line, charsMax } = failure.facts
      return `Near line ${line} the file is no CSV: a row is longer than ${charsMax} characters.`
    }
    case "recorded":
      return failure.facts.text
  }
}
