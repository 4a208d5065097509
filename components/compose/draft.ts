import type { Recipient } from "@/components/compose/check"
import type { Fault } from "@/components/compose/faults"
import type { Fields } from "@/components/compose/fields"

/** What every part of the form is given: the fields, how to change some of them, and what is wrong with each. */
export type Draft = {
  fields: Fields
  change: (part: Partial<Fields>) => void
  errorOf: (field: keyof Fields) => string | undefined
  recipients: Recipient[]
}

/** The id of a field's control, to which the summary of faults leads. */
export function controlId(field: keyof Fields): string {
  return `compose-${field}`
}

/** All that is wrong with one field, in one line. */
export function messageOf(faults: Fault[], field: keyof Fields): string | undefined {
  return faults.flatMap((fault) => (fault.field === field ? fault.message : [])).join(" ") || undefined
}
