import type { FieldValues, Path, PathValue } from "react-hook-form"

/** A page's own check of a field, which runs before the schema's: a message, or nothing. */
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
