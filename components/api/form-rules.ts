import type { FieldValues, Path, PathValue } from "react-hook-form"

/** What a page says of a field in its own words, before the schema is asked: a message, or nothing. */
export type Rules<Values extends FieldValues> = {
  [Name in Path<Values>]?: (value: PathValue<Values, Name>, values: Values) => string | undefined
}

/** A rule for a text that must be given. */
export const filled =
  (message = "Must not be empty.") =>
  (text: string) =>
    text === "" ? message : undefined

/** Registers a field whose surrounding spaces do not count. */
export const trimmed = { setValueAs: (text: string) => text.trim() }

/** Registers a field that clears what is stored when it is empty. */
export const emptyIsNull = { setValueAs: (text: string | null) => text?.trim() || null }
